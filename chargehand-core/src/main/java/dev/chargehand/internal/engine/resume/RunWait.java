package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunReleasedException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.Pauses;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A caller's wait for a run that another thread or process executes; an interrupt of the calling thread ends it, and so
 * does the end of the runtime. Used by one thread.
 */
final class RunWait {

    /** Where a run stands that has not ended. */
    enum Standing {
        CONTINUES,

        /** It is pending, and nothing starts it here. */
        NOT_STARTED,

        /** It has started, and no living process executes it. */
        LEFT
    }

    private final RunId runId;
    private final Cancellation runtime;
    private final TimeSource time;
    private final Pauses pauses;
    private @Nullable WaitLimit limit;

    /** Prepare to wait; {@code runtime} is released when the runtime is closed. */
    RunWait(RunId runId, TimeSource time, Cancellation runtime) {
        this.runId = runId;
        this.runtime = runtime;
        this.time = time;
        this.pauses = new Pauses(time, runtime);
    }

    /**
     * Return this wait, which ends after a time.
     *
     * @throws ConfigurationException if it is null or not above zero
     */
    RunWait atMost(@Nullable Duration most) {
        limit = new WaitLimit(runId, time, most);
        return this;
    }

    /** Wait for a moment for a run that was started; see the other method. */
    void pause() {
        pause(() -> Standing.CONTINUES);
    }

    /**
     * Wait for a moment, each time longer.
     *
     * @param standing where the run stands
     * @throws RunReleasedException if the runtime is closed
     * @throws RunNotEndedException if the time of the wait is over
     */
    void pause(Supplier<Standing> standing) {
        try {
            if (limit == null) {
                pauses.await();
            } else {
                pauses.await(limit.left(standing));
            }
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

    /**
     * Do what reads the store meanwhile, which a runtime that is closed closes.
     *
     * @throws RunReleasedException if the runtime is closed
     */
    <T> T whileOpen(Supplier<T> work) {
        try {
            return work.get();
        } catch (StoreException e) {
            requireOpen();
            throw e;
        }
    }

    /**
     * Wait until the run is not live in this process any more.
     *
     * @throws RunNotEndedException if the time of the wait is over before that
     */
    void untilOver(LocalRun live) {
        try {
            if (limit == null) {
                live.awaitQuietly();
            } else {
                limit.await(live);
            }
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

    /** The time for which a caller waits for a run; it starts when this is made. Used by one thread. */
    private static final class WaitLimit {

        /** Alarms of any length are set in parts. */
        private static final Duration LONGEST_ALARM = Duration.ofDays(1);

        private final RunId runId;
        private final TimeSource time;
        private final Duration most;
        private final long start;

        /**
         * Start to wait.
         *
         * @throws ConfigurationException if the time is null or not above zero
         */
        WaitLimit(RunId runId, TimeSource time, @Nullable Duration most) {
            if (most == null || !most.isPositive()) {
                throw new ConfigurationException(
                        "Run " + runId + ": the time to wait for its result must be above zero, but is "
                                + (most == null ? "null" : ReadableTime.of(most))
                                + ". Call result() to wait for the end, or status() to look at the run without waiting.");
            }
            this.runId = runId;
            this.time = time;
            this.most = most;
            this.start = time.nanoTime();
        }

        /**
         * Return the time that is left.
         *
         * @param standing where the run stands
         * @throws RunNotEndedException if it is over
         */
        Duration left(Supplier<Standing> standing) {
            Duration left = most.minusNanos(time.nanoTime() - start);
            if (left.isPositive()) {
                return left;
            }
            throw notEnded(
                    switch (standing.get()) {
                        case NOT_STARTED ->
                            ": it is pending, and was not started. This runtime does not start it: Wakeups.own() starts"
                                    + " background tasks only, and Wakeups.off() no run. Call resume(runId), or build a runtime with"
                                    + " .wakeups(Wakeups.all()).";
                        case LEFT ->
                            ": no living process executes it. Call resume(runId) or recover(), or build a runtime with"
                                    + " .wakeups(Wakeups.all()), which does that by itself.";
                        case CONTINUES ->
                            ", and continues. Call result(...) of its handle again, or handle(runId) in any process;"
                                    + " cancel() ends the run.";
                    });
        }

        private RunNotEndedException notEnded(String standing) {
            return new RunNotEndedException(
                    "Run " + runId + " had not ended after " + ReadableTime.of(most) + standing);
        }

        /** Wait until a run is not live any more; see {@link #left}. */
        void await(LocalRun live) throws InterruptedException {
            while (!live.hasEnded()) {
                Duration left = left(() -> Standing.CONTINUES);
                live.awaitQuietly(time, left.compareTo(LONGEST_ALARM) > 0 ? LONGEST_ALARM : left);
            }
        }
    }
}
