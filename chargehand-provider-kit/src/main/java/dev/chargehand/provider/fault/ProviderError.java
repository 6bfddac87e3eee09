package dev.chargehand.provider.fault;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A provider's error object.
 *
 * @param status an HTTP status if it gives one, else 0
 * @param code its code, if it is a plain word or a number; else empty
 * @param type its type, likewise
 * @param message its explanation without the key; empty if it has none. It may hold anything, a prompt for example
 * @param retryAfter how long it asks to wait; null if it does not
 */
public record ProviderError(
        int status,
        String code,
        String type,
        String message,
        @Nullable Duration retryAfter) {

    /** An error of which nothing is known. */
    public static final ProviderError UNKNOWN = new ProviderError(0, "", "", "");

    /** What a model wrote and its provider could not read as a call. */
    private static final Set<String> BROKEN_CALLS = Set.of(
            "tool_use_failed", // Groq
            "MALFORMED_FUNCTION_CALL", // Gemini
            "MALFORMED_RESPONSE",
            "UNEXPECTED_TOOL_CALL",
            "malformed_tool_use", // Bedrock
            "malformed_model_output");

    /** Words such as {@code rate_limit_exceeded}; anything else could be a piece of a prompt or a key. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,24}([_.-][A-Za-z]{1,24}){0,5}|[0-9]{1,6}");

    /** Create an error that asks for no wait. */
    public ProviderError(int status, String code, String type, String message) {
        this(status, code, type, message, null);
    }

    /**
     * Create an error from what a provider wrote: words that are surely harmless, and its explanation without the key.
     */
    public static ProviderError of(String code, String type, String message, String key) {
        int number = number(code);
        return new ProviderError(
                number >= 400 && number < 600 ? number : 0,
                word(code, key),
                word(type, key),
                SecretHeaders.without(message, Set.of(key)));
    }

    /** Return this error with an explanation that stands elsewhere in the answer, unless it has one. */
    public ProviderError explained(String elsewhere, String key) {
        return message.isBlank()
                ? new ProviderError(status, code, type, SecretHeaders.without(elsewhere, Set.of(key)), retryAfter)
                : this;
    }

    /** Return this error with the wait in the form of Google, such as {@code 34.5s}; as it is if there is none. */
    public ProviderError after(String wait) {
        Duration parsed = RetryAfter.seconds(wait);
        return parsed == null ? this : new ProviderError(status, code, type, message, parsed);
    }

    /** Return whether the account has nothing left to pay with, which no wait of ours changes. */
    boolean isOfQuota() {
        String words = words().toLowerCase(Locale.ROOT);
        return words.contains("insufficient_quota")
                || words.contains("insufficient_balance")
                || words.contains("insufficient_credit")
                || words.contains("exceeded_current_quota")
                || words.contains("billing")
                || words.contains("payment_required")
                || message.toLowerCase(Locale.ROOT).contains("credit balance is too low")
                || message.contains("used all available credits");
    }

    /** Return whether the provider says that it does not have the model. */
    boolean isOfUnknownModel() {
        String words = words().toLowerCase(Locale.ROOT);
        return words.contains("model_not_found")
                || words.contains("not_found_error")
                || words.contains("unknown_model");
    }

    /** Return whether the error reports a wrong key, for which Google and xAI use the status of any bad request. */
    boolean isOfKey() {
        return words().contains("API_KEY_INVALID") || message.startsWith("Incorrect API key");
    }

    /** Return whether a call that the model wrote could not be read: the next one may be better. */
    boolean isOfBrokenCall() {
        return BROKEN_CALLS.contains(code) || BROKEN_CALLS.contains(type);
    }

    /** Return whether the prompt was flagged, for which OpenRouter uses the status of a missing permission. */
    boolean isOfModeration() {
        return type.equals("moderation");
    }

    /** Return code and type, to look for known words in. */
    String words() {
        return code + " " + type;
    }

    /** Return what there is to say, such as {@code (rate_limit_exceeded)} after a space; empty if nothing. */
    String inBrackets() {
        if (code.isEmpty() && type.isEmpty()) {
            return "";
        }
        return " (" + (code.isEmpty() || type.isEmpty() || code.equals(type) ? longer() : type + ", " + code) + ")";
    }

    private String longer() {
        return code.isEmpty() ? type : code;
    }

    private static String word(String text, String key) {
        boolean ofKey = !key.isEmpty() && (text.contains(key) || key.contains(text));
        return WORD.matcher(text).matches() && !ofKey ? text : "";
    }

    private static int number(String text) {
        return text.length() == 3 && text.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(text) : 0;
    }
}
