package dev.chargehand.cli.output;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Writes texts for readers who decide by them, so that nothing in them can hide: what has no shape of its own, takes
 * the shape of something else, or changes how its neighbours are shown, is written as an escape.
 *
 * <p>Shown as they are: letters, digits, punctuation and symbols; the space; and up to three marks on a letter, where
 * no single character means the same. Escaped is everything else, known to Unicode or not: control and format
 * characters with zero-width, bidirectional and tag characters, other spaces, fillers and blanks, variation selectors,
 * private use, unpaired surrogates, what is not assigned, and forms of plain letters such as those of full width.
 * Letters of other alphabets that look like plain ones are shown; {@link Notes} reports words that mix them. Backslash
 * and quote are escaped too, so that what is shown means one text and no other. The escapes are those of JSON. {@link
 * Visible} is for what only has to be safe to print.
 */
final class Revealed {

    private static final int MOST_MARKS = 3;

    /** Two units of one character are one escape. */
    private static final Pattern ESCAPE =
            Pattern.compile("\\\\(?:ud[89ab][0-9a-f]{2}\\\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|.)");

    private Revealed() {}

    /** Return a text in one line. */
    static String text(String text) {
        StringBuilder revealed = new StringBuilder(text.length() + 16);
        int marks = MOST_MARKS; // a mark at the beginning has no letter to stand on
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean mark = isMark(c);
            if (mark ? marks < MOST_MARKS && !composes(text, i, c) : isShown(c)) {
                revealed.appendCodePoint(c);
                marks = mark ? marks + 1 : Character.isLetter(c) ? 0 : MOST_MARKS;
            } else {
                escape(revealed, c);
                marks = MOST_MARKS;
            }
            i += Character.charCount(c);
        }
        return revealed.toString();
    }

    /** Count the escapes in what {@link #text} returned, those of quotes and backslashes aside. */
    static long escapes(String revealed) {
        return ESCAPE.matcher(revealed)
                .results()
                .map(MatchResult::group)
                .filter(escape -> !escape.equals("\\\\") && !escape.equals("\\\""))
                .count();
    }

    /** Return whether a character is shown on the one before it. */
    static boolean isMark(int c) {
        return Character.getType(c) == Character.NON_SPACING_MARK
                || Character.getType(c) == Character.COMBINING_SPACING_MARK;
    }

    /** A mark that has a single character with its letter would be shown like that one. */
    private static boolean composes(String text, int at, int mark) {
        if (isIgnorable(mark)) {
            return true;
        }
        int from = at;
        while (from > 0 && isMark(text.codePointBefore(from))) {
            from -= Character.charCount(text.codePointBefore(from));
        }
        from -= from > 0 ? Character.charCount(text.codePointBefore(from)) : 0;
        return !Normalizer.isNormalized(text.substring(from, at + Character.charCount(mark)), Normalizer.Form.NFC);
    }

    private static boolean isShown(int c) {
        if (c == ' ') {
            return true;
        }
        if (c == '\\' || c == '"' || isIgnorable(c) || isBlank(c) || isLikeAnother(c)) {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER,
                    Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION,
                    Character.MATH_SYMBOL,
                    Character.CURRENCY_SYMBOL,
                    Character.MODIFIER_SYMBOL,
                    Character.OTHER_SYMBOL -> true;
            default -> false;
        };
    }

    /** Letters and marks that are shown as nothing: fillers, joiners of graphemes, selectors of variants. */
    private static boolean isIgnorable(int c) {
        return c == 0x034f
                || (c >= 0x115f && c <= 0x1160)
                || (c >= 0x17b4 && c <= 0x17b5)
                || (c >= 0x180b && c <= 0x180f)
                || c == 0x3164
                || (c >= 0xfe00 && c <= 0xfe0f)
                || c == 0xffa0
                || c == 0x16fe4
                || (c >= 0xe0000 && c <= 0xe0fff);
    }

    /** Symbols that look like a space, or represent a missing character. */
    private static boolean isBlank(int c) {
        return c == 0x2800 || c == 0xfffc || c == 0xfffd || c == 0x1d159;
    }

    /** A character that Unicode knows as another one, or a letter or digit that it knows as a form of a plain one. */
    private static boolean isLikeAnother(int c) {
        if (c < 0x80) {
            return false;
        }
        String text = Character.toString(c);
        if (!Normalizer.isNormalized(text, Normalizer.Form.NFC)) {
            return true;
        }
        boolean word = Character.isLetterOrDigit(c) || Character.getType(c) == Character.LETTER_NUMBER;
        return word && Normalizer.normalize(text, Normalizer.Form.NFKC).charAt(0) < 0x80;
    }

    private static void escape(StringBuilder to, int c) {
        switch (c) {
            case '\\' -> to.append("\\\\");
            case '"' -> to.append("\\\"");
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> {
                for (char unit : Character.toChars(c)) {
                    to.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) unit));
                }
            }
        }
    }
}
