package dev.chargehand.internal.engine;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.lease.Pauses;
import dev.chargehand.internal.engine.tree.RunExecution;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts runs whose thread may be busy: when the thread is theirs. Thread-safe. */
final class ThreadGate {

    private final RuntimeEnvironment environment;
    private final Ownership ownership;
    private final RunReleases releases;

    ThreadGate(RuntimeEnvironment environment, RunReleases releases) {
        this.environment = environment;
        this.ownership = environment.ownership();
        this.releases = releases;
    }

    /** Makes the outcome of a run that ends before it has started, or before it has continued. */
    @FunctionalInterface
    interface NotStarted {
        RunOutcome because(StopReason reason, @Nullable ChargehandException cause);
    }

    /**
     * Start a run at once.
     *
     * @throws ThreadBusyException if another run has its thread
     */
    RunExecution now(Supplier<RunExecution> start) {
        try {
            return start.get();
        } catch (ThreadBusyException e) {
            RunId busy = new RunId(e.runId());
            releases.tryNow(busy);
            if (ownership.markDead(environment.store(), busy)
                    && !environment.store().keepsThread(busy)) {
                return start.get();
            }
            throw e;
        }
    }

    /**
     * Start a run when its thread is free, and advance it; ends it if it is cancelled before.
     *
     * @param busy the run that was seen to have the thread, or null
     * @param waits whether it waits for a thread that another run has, rather than fail
     */
    RunOutcome whenFree(
            Runnable turn,
            Supplier<RunExecution> start,
            Cancellation cancellation,
            @Nullable RunId busy,
            boolean waits,
            NotStarted notStarted) {
        RunExecution run;
        try {
            turn.run();
            run = waits ? tried(start, busy, cancellation) : now(start);
        } catch (RunInterruptedException e) {
            return notStarted.because(e.reason(), null);
        } catch (ChargehandException e) {
            return notStarted.because(environment.redactor().failure(e), e);
        }
        return run.advance();
    }

    private RunExecution tried(Supplier<RunExecution> start, @Nullable RunId seen, Cancellation cancellation) {
        RunId busy = seen;
        while (true) {
            if (busy != null) {
                awaitEndOf(busy, cancellation);
            }
            cancellation.admit();
            try {
                return now(start);
            } catch (ThreadBusyException e) {
                busy = new RunId(e.runId());
            }
        }
    }

    /**
     * Wait until the thread may be free: to start costs more than to look, and calls code that is not ours. A run that
     * its process has left may keep its thread for a while although no process executes it.
     */
    private void awaitEndOf(RunId busy, Cancellation cancellation) {
        Pauses pauses = new Pauses(environment.time(), cancellation);
        try {
            for (int look = 1; !cancellation.isCancelled() && !cancellation.isReleased(); look++) {
                pauses.await();
                if (!ownership.isRunning(environment.store(), busy, look) && !isLeftAndKept(busy)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancellation.cancel(new StopReason.Cancelled("interrupt"));
        }
    }

    /** The time for which a run keeps its thread starts when its owner is known to be gone. */
    private boolean isLeftAndKept(RunId busy) {
        boolean ignored = ownership.markDead(environment.store(), busy);
        return environment.store().keepsThread(busy);
    }
}
