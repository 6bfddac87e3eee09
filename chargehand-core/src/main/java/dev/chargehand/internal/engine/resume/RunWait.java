package dev.chargehand.internal.engine.resume;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.Pauses;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A caller's wait for a run that another thread or process executes; an interrupt of the calling thread ends it. Used
 * by one thread.
 */
final class RunWait {

    private final RunId runId;
    private final Pauses pauses;

    RunWait(RunId runId, TimeSource time) {
        this.runId = runId;
        this.pauses = new Pauses(time, new Cancellation());
    }

    /** Wait for a moment, each time longer. */
    void pause() {
        try {
            pauses.await();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Wait until the run is not live in this process any more. */
    void untilOver(LocalRun live) {
        try {
            live.awaitQuietly();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Return what to throw where the calling thread was interrupted. */
    ChargehandException interrupted(@Nullable InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ChargehandException(
                "interrupted",
                true,
                "The thread was interrupted while it waited for run " + runId + "; nothing was done.",
                e);
    }
}
