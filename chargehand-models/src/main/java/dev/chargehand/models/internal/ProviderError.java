package dev.chargehand.models.internal;

import java.util.regex.Pattern;

/**
 * What a provider's error object says in short words; its message is not kept.
 *
 * @param status an HTTP status if it gives one, else 0
 * @param code its code, if it is a plain word or a number; else empty
 * @param type its type, likewise
 */
public record ProviderError(int status, String code, String type) {

    static final ProviderError UNKNOWN = new ProviderError(0, "", "");

    /** Words such as {@code rate_limit_exceeded}; anything else could be a piece of a prompt or a key. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,24}([_.-][A-Za-z]{1,24}){0,5}|[0-9]{1,6}");

    /** Makes an error of what a provider wrote, keeping only what is surely harmless. */
    public static ProviderError of(String code, String type, String key) {
        int number = number(code);
        return new ProviderError(number >= 400 && number < 600 ? number : 0, word(code, key), word(type, key));
    }

    /** Tells whether the key is said to be wrong, which Google does with a status that is used for any bad request. */
    boolean isOfKey() {
        return words().contains("API_KEY_INVALID");
    }

    /** Returns code and type, to look for known words in. */
    String words() {
        return code + " " + type;
    }

    /** Returns what there is to say, such as {@code (rate_limit_exceeded)} after a space; empty if nothing. */
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
