package dev.chargehand.error;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The exception of a failed model call.
 *
 * <p>The message names the model, the kind of fault and, where there was one, the HTTP status. If the provider
 * explained the fault, the message ends with its words, marked as such: one line of at most 1,000 characters, without
 * control characters and known secrets. They may quote a prompt, so they are for the application only: no model and no
 * client of the application receives them. {@link #publicMessage()} leaves them out.
 */
public final class ModelException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** The kind of failure of a model call, and whether a retry may help. */
    public enum Kind {
        /** The key is missing, wrong or not allowed to use the model. */
        AUTHENTICATION(false),
        /** The provider rejects for now because of too many requests or tokens. */
        RATE_LIMIT(true),
        /** The provider is overloaded or failed on its side. */
        OVERLOADED(true),
        /** The provider rejected the request itself: another attempt would be rejected too. */
        INVALID_REQUEST(false),
        /** The connection could not be made, or broke before the answer was complete. */
        CONNECTION(true),
        /** The answer is not what the protocol allows. */
        PROTOCOL(false),
        /** The provider ended the answer without any content. */
        EMPTY(false),
        /** No first token of an answer, or no vectors, within the limit. */
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
    private final String publicMessage;
    private final @Nullable String providerMessage;

    /** Create the exception; its code is {@code model-} and the kind in kebab case. */
    public ModelException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, kind.retryable, null, message, cause);
    }

    /** Create the exception for a fault that the provider said how to retry. */
    public ModelException(
            Kind kind, boolean retryable, @Nullable Duration retryAfter, String message, @Nullable Throwable cause) {
        this(kind, retryable, retryAfter, message, null, cause);
    }

    /**
     * Create the exception for a fault that the provider explained.
     *
     * @param providerMessage the provider's words, without secrets, or null; control characters are replaced, and what
     *     exceeds 1,000 characters is cut
     */
    public ModelException(
            Kind kind,
            boolean retryable,
            @Nullable Duration retryAfter,
            String message,
            @Nullable String providerMessage,
            @Nullable Throwable cause) {
        super(kind.code(), retryable, ProviderWords.after(message, providerMessage), cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
        this.publicMessage = message;
        this.providerMessage = ProviderWords.harmless(providerMessage);
    }

    @Override
    public String publicMessage() {
        return publicMessage;
    }

    /** Return the provider's own words about the fault, if it gave any; for the application only. */
    public Optional<String> providerMessage() {
        return Optional.ofNullable(providerMessage);
    }

    /** Return what went wrong. */
    public Kind kind() {
        return kind;
    }

    /** Return how long the provider asked to wait, if it did. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
