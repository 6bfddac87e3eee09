package dev.chargehand.internal.text;

/**
 * Keeps texts encodable: a surrogate without its partner has no UTF-8 form and would be lost on the way to a disk. The
 * one rule for messages, answers and their deltas, results and errors.
 */
public final class WellFormed {

    private static final char REPLACEMENT = '\uFFFD';

    private WellFormed() {}

    /** Return the text with U+FFFD for each surrogate that has no partner. */
    public static String text(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (isPair(text, i)) {
                    i++;
                } else {
                    return replaced(text, i);
                }
            }
        }
        return text;
    }

    private static String replaced(String text, int first) {
        StringBuilder repaired = new StringBuilder(text);
        for (int i = first; i < repaired.length(); i++) {
            if (Character.isSurrogate(repaired.charAt(i))) {
                if (isPair(repaired, i)) {
                    i++;
                } else {
                    repaired.setCharAt(i, REPLACEMENT);
                }
            }
        }
        return repaired.toString();
    }

    private static boolean isPair(CharSequence text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }
}
