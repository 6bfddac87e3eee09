package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/** Makes a provider's explanation of a fault one bounded line that cannot pass for anything else. */
final class ProviderWords {

    private static final int LONGEST = 1_000;

    private ProviderWords() {}

    /** Return a message, followed by the provider's words if there are any. */
    static String after(String message, @Nullable String words) {
        String harmless = harmless(words);
        return harmless == null ? message : message + " The provider says: \"" + harmless + "\"";
    }

    /** Return the words as one line without control and formatting characters; null if nothing is left. */
    static @Nullable String harmless(@Nullable String words) {
        if (words == null) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        boolean gap = false;
        for (int i = 0; i < words.length() && line.length() <= LONGEST; ) {
            int c = words.codePointAt(i);
            i += Character.charCount(c);
            if (isVisible(c)) {
                if (gap && !line.isEmpty()) {
                    line.append(' ');
                }
                gap = false;
                line.appendCodePoint(c);
            } else {
                gap = true;
            }
        }
        return line.isEmpty() ? null : cut(line);
    }

    private static String cut(StringBuilder line) {
        if (line.length() <= LONGEST) {
            return line.toString();
        }
        int end = LONGEST - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "\u2026";
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
