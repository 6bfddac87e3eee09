package dev.chargehand.internal.scope;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.run.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The failure of its store because of which a tree of runs is given up: from then on nothing of it is stored, its runs
 * stay in the store as they are, and its calls in flight are interrupted. Thread-safe.
 */
public final class Outage {

    private final Cancellation cancellation;
    private volatile @Nullable StoreException failure;
    private volatile StopReason.@Nullable Cancelled cancelled;

    /** Make the outage of a tree, which has not started. */
    public Outage(Cancellation cancellation) {
        this.cancellation = cancellation;
    }

    /** Return whether a failure leaves open what the store will do later, so that the runs are not to be ended. */
    public static boolean isCause(RuntimeException failure) {
        return failure instanceof StoreException store && store.retryable();
    }

    /** Give the tree up; the first failure is the one that counts. */
    public void begin(StoreException cause) {
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
        }
        cancellation.cancel(failed(cause, cause.getMessage()));
    }

    /** Remember that the root run was cancelled, which holds though it could not be stored. */
    public void cancelled(StopReason.Cancelled reason) {
        cancelled = reason;
    }

    /** Return because of which cancellation the tree is to be ended once the store answers, or null. */
    public StopReason.@Nullable Cancelled cancellation() {
        return cancelled;
    }

    /** Return because of which failure the tree is given up, or null. */
    public @Nullable StoreException failure() {
        return failure;
    }

    /**
     * Continue only if no outage has ended the run.
     *
     * @throws RunInterruptedException if it is
     */
    public void check() {
        StoreException cause = failure;
        if (cause != null) {
            throw new RunInterruptedException(failed(cause, cause.getMessage()));
        }
    }

    /**
     * Return what the caller is given as the end of a run that has not ended in the store.
     *
     * @throws IllegalStateException if no outage has ended the run
     */
    public StopReason reason(Redactor redactor) {
        StoreException cause = failure;
        if (cause == null) {
            throw new IllegalStateException("No outage has ended the run.");
        }
        String message = redactor.redact(cause.getMessage());
        return failed(
                cause,
                cause.retryable()
                        ? message
                                + " The run has not ended: resume it, or call recover(), when the store answers again."
                        : message);
    }

    private static StopReason.Failed failed(StoreException cause, @Nullable String message) {
        return new StopReason.Failed(cause.code(), String.valueOf(message), cause.retryable());
    }
}
