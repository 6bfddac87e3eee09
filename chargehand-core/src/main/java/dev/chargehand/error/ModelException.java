package dev.chargehand.error;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports a failed model call.
 *
 * <p>The message names the model, the kind of fault and, where there was one, the HTTP status; it never carries the
 * provider's response body, which may echo prompts or keys.
 */
public final class ModelException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** What went wrong with a model call, and whether another attempt may help. */
    public enum Kind {
        /** The key is missing, wrong or not allowed to use the model. */
        AUTHENTICATION(false),
        /** The provider refuses for now because of too many requests or tokens. */
        RATE_LIMIT(true),
        /** The provider is overloaded or failed on its side. */
        OVERLOADED(true),
        /** The provider refused the request itself: another attempt would be refused too. */
        INVALID_REQUEST(false),
        /** The connection could not be made, or broke before the answer was complete. */
        CONNECTION(true),
        /** The answer is not what the protocol allows. */
        PROTOCOL(false),
        /** The provider ended the answer without any content. */
        EMPTY(false),
        /** No first token within the limit. */
        TIMEOUT(true),
        /** The stream fell silent for longer than the limit. */
        IDLE(false),
        /** The answer, or one event of it, exceeds a size limit. */
        TOO_LARGE(false),
        /** No provider knows the model. */
        UNKNOWN_MODEL(false);

        private final boolean retryable;

        Kind(boolean retryable) {
            this.retryable = retryable;
        }

        private String code() {
            return "model-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Kind kind;
    private final @Nullable Duration retryAfter;

    /** Creates the exception; its code is {@code model-} and the kind in kebab case. */
    public ModelException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, kind.retryable, null, message, cause);
    }

    /** Creates the exception for a fault that the provider said how to retry. */
    public ModelException(
            Kind kind, boolean retryable, @Nullable Duration retryAfter, String message, @Nullable Throwable cause) {
        super(kind.code(), retryable, message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** Returns what went wrong. */
    public Kind kind() {
        return kind;
    }

    /** Returns how long the provider asked to wait, if it did. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
