package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunTakenOverException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Follows a root run in the store that another process has taken over, for a caller here that waits for its result.
 *
 * @param suspensions finds it, and ends it if the caller cancels it
 */
record RunFollower(SuspendedRuns suspensions) {

    /** Why runs of a store in memory end when their runtime is closed. */
    private static final StopReason SHUTDOWN = new StopReason.Cancelled("shutdown");

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    /** How often in a row the store may fail to be read: an outage for a moment is not the end of following. */
    private static final int MOST_FAILURES = 3;

    /**
     * Wait until the run has ended or wait for answers, and return where it stands then.
     *
     * @param cancellation ends the wait when the run's time is over; what a caller cancels is ended in the store
     * @param look is called before each look at it
     * @throws RunTakenOverException if it does neither in time, or the store cannot be read
     */
    RunOutcome follow(RunId runId, Cancellation cancellation, Runnable look) {
        int failures = 0;
        while (true) {
            try {
                look.run();
                Optional<RunOutcome> stored = storedOutcome(runId);
                if (stored.isPresent()) {
                    return stored.get();
                }
                failures = 0;
            } catch (StoreException e) {
                failures++;
                if (failures == MOST_FAILURES) {
                    throw new RunTakenOverException(runId, "the store cannot be read: " + e.getMessage(), e);
                }
            }
            if (cancellation.isCancelled() || cancellation.isReleased()) {
                return over(runId, cancellation);
            }
            pause(cancellation);
        }
    }

    private Optional<RunOutcome> storedOutcome(RunId runId) {
        Store store = suspensions.environment().store();
        RunRecord found = store.find(runId).orElseThrow(() -> taken(runId, "it is not in the store any more"));
        if (found.status() == RunStatus.RUNNING) {
            return Optional.empty();
        }
        State state = Journal.look(store, found);
        return Optional.of(
                found.status().isEnded()
                        ? RunOutcome.ended(state, null)
                        : new RunOutcome(state, null, SuspendedRuns.below(store, state)));
    }

    private RunOutcome over(RunId runId, Cancellation cancellation) {
        StopReason reason = reason(cancellation);
        if (!(reason instanceof StopReason.Cancelled) || reason.equals(SHUTDOWN)) {
            throw taken(
                    runId,
                    reason == null || reason.equals(SHUTDOWN)
                            ? "the runtime was closed before it had ended"
                            : reason instanceof StopReason.Failed
                                    ? "it had not ended when the store failed here"
                                    : "it had not ended when its time was over here");
        }
        suspensions.end(runId, reason, null);
        return storedOutcome(runId).orElseThrow(() -> taken(runId, "it could not be cancelled there"));
    }

    private static @Nullable StopReason reason(Cancellation cancellation) {
        try {
            cancellation.check();
            return null;
        } catch (RunInterruptedException e) {
            return e.reason();
        } catch (RunLeftException e) {
            return null;
        }
    }

    private static RunTakenOverException taken(RunId runId, String why) {
        return new RunTakenOverException(runId, why, null);
    }

    private void pause(Cancellation cancellation) {
        CountDownLatch passed = new CountDownLatch(1);
        TimeSource.Alarm alarm = suspensions.environment().time().schedule(BETWEEN_LOOKS, passed::countDown);
        Cancellation.Registration registration = cancellation.onRelease(passed::countDown);
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
