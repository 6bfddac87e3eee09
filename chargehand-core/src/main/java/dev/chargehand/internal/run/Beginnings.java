package dev.chargehand.internal.run;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;

/** Begins runs whose thread may be busy: when the thread is theirs. Thread-safe. */
final class Beginnings {

    /** How often a thread is asked for that a run of another process has. */
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

    private final Environment environment;
    private final Ownership ownership;

    Beginnings(Environment environment, Ownership ownership) {
        this.environment = environment;
        this.ownership = ownership;
    }

    /**
     * Begins a run at once.
     *
     * @throws ThreadBusyException if another run has its thread
     */
    LiveRun now(Supplier<LiveRun> beginning) {
        try {
            return beginning.get();
        } catch (ThreadBusyException e) {
            if (ownership.bury(new RunId(e.runId()))) {
                return beginning.get();
            }
            throw e;
        }
    }

    /**
     * Begins a run when its thread is free, and advances it; ends it if it is cancelled before.
     *
     * @param waits whether it waits for a thread that another run has, rather than fail
     * @param ended makes the state of a run that ends before it has begun
     */
    Outcome whenFree(
            Runnable turn,
            Supplier<LiveRun> beginning,
            Cancellation cancellation,
            boolean waits,
            Function<StopReason, State> ended) {
        LiveRun run;
        try {
            turn.run();
            run = waits ? tried(beginning, cancellation) : now(beginning);
        } catch (RunInterrupted e) {
            return Outcome.ended(ended.apply(e.reason()), null);
        } catch (ChargehandException e) {
            return Outcome.ended(ended.apply(environment.redactor().failure(e)), e);
        }
        return run.advance();
    }

    private LiveRun tried(Supplier<LiveRun> beginning, Cancellation cancellation) {
        while (true) {
            cancellation.check();
            try {
                return now(beginning);
            } catch (ThreadBusyException e) {
                pause(cancellation);
            }
        }
    }

    private void pause(Cancellation cancellation) {
        CountDownLatch passed = new CountDownLatch(1);
        TimeSource.Alarm alarm = environment.time().schedule(BETWEEN_TRIES, passed::countDown);
        Cancellation.Registration registration = cancellation.onCancel(passed::countDown);
        try {
            passed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancellation.cancel(new StopReason.Cancelled("interrupt"));
        } finally {
            alarm.cancel();
            registration.close();
        }
    }
}
