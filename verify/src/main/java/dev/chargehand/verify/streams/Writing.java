package dev.chargehand.verify.streams;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Makes texts that are hard to carry, cuts them, and writes them as JSON in the ways there are. */
final class Writing {

    /** Is in texts, so that an error that quotes an answer shows. */
    static final String CANARY = "canary-7151";

    private static final List<String> PIECES = List.of(
            "a",
            "word ",
            "Hello, ",
            "ß",
            "\u00e9t\u00e9",
            "\u65e5\u672c",
            "\ud83d\ude00",
            "\ud83e\uddd1\u200d\ud83d\ude80",
            "\n",
            "\r\n",
            "\t",
            "\"",
            "\\",
            "/",
            "\u0000",
            "\u007f",
            "\u2028",
            "\ufeff",
            "data: ",
            "[DONE]",
            "\n\ndata: {",
            "{\"a\":1}",
            "</tool>",
            CANARY,
            "   ");

    private final SplittableRandom random;

    Writing(SplittableRandom random) {
        this.random = random;
    }

    /** Return a text of so many pieces at most. */
    String text(int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(pieces + 1); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return random.nextInt(2_000) == 0 ? text + "x".repeat(random.nextInt(200_000)) : text.toString();
    }

    /** Cut a text anywhere, between the halves of a character too. */
    List<String> cut(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(random.nextInt(8) == 0 ? text.length() : 12));
            parts.add(text.substring(from, to));
            from = to;
        }
        return parts;
    }

    /** Write a text as a JSON string; what need not be escaped sometimes is. */
    String quoted(String text) {
        boolean escaping = random.nextInt(4) == 0;
        StringBuilder json = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c == '\n' && !escaping) {
                json.append("\\n");
            } else if (c < ' ' || (escaping && c > '~') || isAlone(text, i)) {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /** Return whether a char is half of a character, which only an escape can carry. */
    private static boolean isAlone(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
