package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/**
 * The exception of a store that could not read or write; what was acknowledged before is still there.
 *
 * <p>A run that fails because of a retryable one has not ended: it can be resumed when the store answers again.
 */
public final class StoreException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** The kind of failure of a store call. */
    public enum Kind {
        /** The store cannot be opened or is damaged; it was left as it is. */
        UNUSABLE("store-unusable", false),
        /** A read or write failed. */
        FAILED("store-failed", true),
        /** A read or write took longer than its limit; a late write may still arrive. */
        TIMEOUT("store-timeout", true),
        /** Another owner has taken the run, or wrote first. */
        FENCED("store-fenced", false),
        /** A delivery to the run has arrived that must be read before the run ends, suspends or starts a background task. */
        DELIVERED("store-delivered", false),
        /**
         * Another run has given the result of a background task to a model, or has added messages to the thread of a run that starts; the
         * writer reads again.
         */
        ALREADY_READ("store-already-read", false),
        /** The run or thread is missing. */
        NOT_FOUND("store-not-found", false),
        /** What is stored was written by a later version, or is not readable. */
        UNREADABLE("store-unreadable", false);

        private final String code;
        private final boolean retryable;

        Kind(String code, boolean retryable) {
            this.code = code;
            this.retryable = retryable;
        }
    }

    private final Kind kind;

    /** Create the exception. */
    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(kind.code, kind.retryable, message, cause);
        this.kind = kind;
    }

    /** Return what went wrong. */
    public Kind kind() {
        return kind;
    }
}
