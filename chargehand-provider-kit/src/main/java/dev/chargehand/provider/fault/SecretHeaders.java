package dev.chargehand.provider.fault;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The values of headers that a developer sets, as secrets: any of them may authorise a call, regardless of its name.
 */
public final class SecretHeaders {

    /** A secret shorter than this would blank out ordinary words. */
    private static final int SHORTEST = 6;

    private static final String REPLACEMENT = "[redacted]";

    /** Standard headers that authorise nothing, and whose values are words that texts have. */
    private static final Set<String> PUBLIC = Set.of(
            "accept",
            "accept-language",
            "anthropic-beta",
            "content-type",
            "http-referer",
            "openai-beta",
            "referer",
            "user-agent",
            "x-title");

    private SecretHeaders() {}

    /** Return the values that must not show, and of a value such as {@code Bearer abc} what follows the scheme too. */
    public static Set<String> of(Map<String, String> headers) {
        Set<String> values = new LinkedHashSet<>();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String text = header.getValue().strip();
            if (isPublic(header.getKey().toLowerCase(Locale.ROOT)) || text.isEmpty()) {
                continue;
            }
            values.add(text);
            int space = text.indexOf(' ');
            if (space > 0) {
                values.add(text.substring(space + 1).strip());
            }
        }
        return Set.copyOf(values);
    }

    private static boolean isPublic(String name) {
        return PUBLIC.contains(name) || name.endsWith("version");
    }

    /** Return a text without secrets; those of fewer than 6 characters are left, since they may be any word. */
    static String without(String text, Set<String> secrets) {
        List<String> longestFirst = secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String clean = text;
        for (String secret : longestFirst) {
            clean = clean.replace(secret, REPLACEMENT);
        }
        return clean;
    }

    /** Return whether a text can be the value of a header: printable ASCII. */
    public static boolean isSendable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }
}
