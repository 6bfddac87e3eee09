package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunReleasedException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.Pauses;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A caller's wait for a run that another thread or process executes; an interrupt of the calling thread ends it, and so
 * does the end of the runtime. Used by one thread.
 */
final class RunWait {

    private final RunId runId;
    private final Cancellation runtime;
    private final Pauses pauses;

    /** Prepare to wait; {@code runtime} is released when the runtime is closed. */
    RunWait(RunId runId, TimeSource time, Cancellation runtime) {
        this.runId = runId;
        this.runtime = runtime;
        this.pauses = new Pauses(time, runtime);
    }

    /**
     * Wait for a moment, each time longer.
     *
     * @throws RunReleasedException if the runtime is closed
     */
    void pause() {
        try {
            pauses.await();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        requireOpen();
    }

    /**
     * Fail if a run that is not live here can be waited for no longer.
     *
     * @throws RunReleasedException if the runtime is closed
     */
    void requireOpen() {
        if (runtime.isReleased()) {
            throw new RunReleasedException(runId, "", true);
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
                "The thread was interrupted while it waited for run " + runId + "; the run is left as it is.",
                e);
    }
}
