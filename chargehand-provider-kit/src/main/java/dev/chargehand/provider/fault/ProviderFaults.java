package dev.chargehand.provider.fault;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A factory of the exceptions of one model: they say the model, the status and the provider's code; the provider's
 * explanation is kept apart, without secrets, since it may echo prompts or keys.
 *
 * @param model the model's display name
 * @param keyHint what to check when a key is rejected, such as {@code OPENAI_API_KEY}
 * @param secrets the secrets of this moment
 */
public record ProviderFaults(String model, String keyHint, Supplier<Set<String>> secrets) {

    /** Create faults of a model without secrets. */
    public ProviderFaults(String model, String keyHint) {
        this(model, keyHint, Set::of);
    }

    /** Make the exception for a status other than success. */
    public ModelException status(int status, ProviderError error, @Nullable Duration retryAfter) {
        Kind kind = kindOf(status, error);
        String what = "the provider answered " + status + error.inBrackets() + adviceOn(status, kind, error);
        Duration wait = retryAfter == null ? error.retryAfter() : retryAfter;
        return explained(kind, isRetryable(kind, status, error), wait, what, error);
    }

    private ModelException explained(
            Kind kind, boolean retryable, @Nullable Duration retryAfter, String what, ProviderError error) {
        String words = SecretHeaders.without(error.message(), secrets.get());
        return new ModelException(kind, retryable, retryAfter, sentence(what), words, null);
    }

    /**
     * Return a key if calls can be made with it.
     *
     * @throws ModelException if there has to be one and is none, or it cannot be sent
     */
    public String usable(String key, boolean needed) {
        if (key.isEmpty() && needed) {
            throw authentication("there is no key; set " + keyHint);
        }
        if (!SecretHeaders.isSendable(key)) {
            throw authentication("the key has characters that cannot be sent; check " + keyHint);
        }
        return key;
    }

    /** Make the exception for an error that came in a stream or a document of status 200. */
    public ModelException reported(ProviderError error) {
        Kind kind = error.status() == 0 ? kindOf(error) : kindOf(error.status(), error);
        String what = "the provider ended its answer with an error" + error.inBrackets()
                + adviceOn(error.status(), kind, error);
        return explained(kind, isRetryable(kind, error.status(), error), error.retryAfter(), what, error);
    }

    /** Make the exception for an answer that breaks the protocol. */
    public ModelException protocol(String what) {
        return new ModelException(Kind.PROTOCOL, sentence(what), null);
    }

    /** Make the exception for more than is read. */
    public ModelException tooLarge(String what, long limit, String unit) {
        return new ModelException(
                Kind.TOO_LARGE, sentence(what + " has more than the " + limit + " " + unit + " that are read"), null);
    }

    public ModelException empty() {
        return new ModelException(Kind.EMPTY, sentence("the provider ended its answer without any content"), null);
    }

    /** Make the exception for a call whose limit is over. */
    public ModelException timeout(Duration limit) {
        return new ModelException(Kind.TIMEOUT, sentence("no answer within " + limit.toMillis() + " ms"), null);
    }

    /** Make the exception for a request that cannot be sent. */
    public ModelException invalidRequest(String what) {
        return new ModelException(Kind.INVALID_REQUEST, sentence(what), null);
    }

    /** Create the exception for a call without permission. */
    public ModelException authentication(String what) {
        return new ModelException(Kind.AUTHENTICATION, sentence(what), null);
    }

    public ModelException connection(String what, boolean retryable, @Nullable Throwable cause) {
        return new ModelException(Kind.CONNECTION, retryable, null, sentence(what), cause);
    }

    private String sentence(String what) {
        return "Model '" + model + "': " + what + ".";
    }

    private String adviceOn(int status, Kind kind, ProviderError error) {
        if (isOfQuota(status, error)) {
            return "; the account's quota or credit is exhausted, and waiting does not help: check the plan and billing of"
                    + " the account behind " + keyHint;
        }
        if (status == 404 || error.isOfUnknownModel()) {
            return "; the provider does not have this model, or it is not offered to this key: check the model's name and"
                    + " the base URL";
        }
        if (status == 407) {
            return "; a proxy between here and the provider requires authentication: check the proxy";
        }
        return switch (kind) {
            case AUTHENTICATION -> "; check " + keyHint;
            case RATE_LIMIT -> "; too many requests or tokens for now: try again later, or make fewer calls at once";
            default -> "";
        };
    }

    private static boolean isOfQuota(int status, ProviderError error) {
        return status == 402 || error.isOfQuota();
    }

    private static Kind kindOf(int status, ProviderError error) {
        return switch (status) {
            case 401 -> Kind.AUTHENTICATION;
            case 403 -> error.isOfModeration() ? Kind.INVALID_REQUEST : Kind.AUTHENTICATION;
            case 400 ->
                error.isOfKey() ? Kind.AUTHENTICATION : error.isOfBrokenCall() ? Kind.PROTOCOL : Kind.INVALID_REQUEST;
            case 408, 409 -> Kind.OVERLOADED;
            // Bedrock's failed model; Groq without capacity; a proxy that lost its client.
            case 424, 498, 499 -> Kind.OVERLOADED;
            case 413 -> Kind.TOO_LARGE;
            case 429 -> Kind.RATE_LIMIT;
            default -> {
                if (status >= 500) {
                    yield Kind.OVERLOADED;
                }
                yield status >= 400 ? Kind.INVALID_REQUEST : kindOf(error);
            }
        };
    }

    /** Derive the kind from the provider's words; an unexplained error is a failure of the provider. */
    private static Kind kindOf(ProviderError error) {
        if (error.isOfBrokenCall()) {
            return Kind.PROTOCOL;
        }
        String words = error.words().toLowerCase(Locale.ROOT);
        if (words.contains("rate_limit")
                || words.contains("ratelimit")
                || words.contains("quota")
                || words.contains("too_many_requests")
                || words.contains("resource_exhausted")) {
            return Kind.RATE_LIMIT;
        }
        if (words.contains("authentication")
                || words.contains("api_key")
                || words.contains("permission")
                || words.contains("unauthorized")) {
            return Kind.AUTHENTICATION;
        }
        if (words.contains("invalid")
                || words.contains("context_length")
                || words.contains("badrequest")
                || words.contains("bad_request")
                || words.contains("not_found")
                || words.contains("content_policy")
                || words.contains("content_filter")) {
            return Kind.INVALID_REQUEST;
        }
        return Kind.OVERLOADED;
    }

    /** A spent quota looks like a rate limit, but no wait of ours refills it. */
    private static boolean isRetryable(Kind kind, int status, ProviderError error) {
        return switch (kind) {
            case RATE_LIMIT -> !isOfQuota(status, error);
            case OVERLOADED -> true;
            case PROTOCOL -> error.isOfBrokenCall();
            default -> false;
        };
    }
}
