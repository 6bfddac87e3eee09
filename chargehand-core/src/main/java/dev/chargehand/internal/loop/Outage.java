package dev.chargehand.internal.loop;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.internal.limit.RunInterrupted;
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

    /** Makes the outage of a tree, which has not begun. */
    public Outage(Cancellation cancellation) {
        this.cancellation = cancellation;
    }

    /** Returns whether a failure leaves open what the store will do later, so that the runs are not to be ended. */
    public static boolean isCause(RuntimeException failure) {
        return failure instanceof StoreException store && store.retryable();
    }

    /** Gives the tree up; the first failure is the one that counts. */
    public void begin(StoreException cause) {
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = cause;
        }
        cancellation.cancel(failed(cause, cause.getMessage()));
    }

    /** Remembers that the root run was cancelled, which holds though it could not be stored. */
    void cancelled(StopReason.Cancelled reason) {
        cancelled = reason;
    }

    /** Returns because of which cancellation the tree is to be ended once the store answers, or null. */
    public StopReason.@Nullable Cancelled cancellation() {
        return cancelled;
    }

    /** Returns because of which failure the tree is given up, or null. */
    public @Nullable StoreException failure() {
        return failure;
    }

    /**
     * Continues only if the tree is not given up.
     *
     * @throws RunInterrupted if it is
     */
    public void check() {
        StoreException cause = failure;
        if (cause != null) {
            throw new RunInterrupted(failed(cause, cause.getMessage()));
        }
    }

    /**
     * Returns what the caller is given as the end of a run that has not ended in the store.
     *
     * @throws IllegalStateException if the tree is not given up
     */
    public StopReason reason(Redactor redactor) {
        StoreException cause = failure;
        if (cause == null) {
            throw new IllegalStateException("The tree is not given up.");
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
