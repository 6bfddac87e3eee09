package dev.chargehand.error;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The exception of a memory that cannot be used as it is defined, or that others have changed. */
public final class MemoryException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** The kind of failure. */
    public enum Kind {
        /** A memory of all conversations of a resource was used without a resource. */
        NEEDS_RESOURCE(false),
        /** The store does not keep memory. */
        UNSUPPORTED(false),
        /** Others changed the working memory at the same time, again and again. */
        CONFLICT(true);

        private final boolean retryable;

        Kind(boolean retryable) {
            this.retryable = retryable;
        }

        private String code() {
            return "memory-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Kind kind;

    /** Create the exception; its code is {@code memory-} and the kind in kebab case. */
    public MemoryException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Create the exception with its cause. */
    public MemoryException(Kind kind, String message, @Nullable Throwable cause) {
        super(kind.code(), kind.retryable, message, cause);
        this.kind = kind;
    }

    /** Return what went wrong. */
    public Kind kind() {
        return kind;
    }
}
