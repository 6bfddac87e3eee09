package dev.chargehand.internal.text;

/** Makes one short line of a text: for titles in lists. */
public final class OneLine {

    private OneLine() {}

    /**
     * Return the start of a text in one line. White space and control characters become one space each time; what
     * changes the direction of its neighbours is left out; a surrogate without its partner becomes U+FFFD. A text that is
     * longer ends with a whole word, unless that would leave less than half.
     *
     * @param most how many characters at most, above 1
     * @return empty if the text has nothing to show
     */
    public static String of(String text, int most) {
        StringBuilder line = new StringBuilder(most + 2);
        boolean space = false;
        for (int i = 0; i < text.length() && line.length() <= most; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (isSpace(c)) {
                space = !line.isEmpty();
            } else if (!turns(c)) {
                line.append(space ? " " : "").appendCodePoint(isHalf(c) ? 0xfffd : c);
                space = false;
            }
        }
        return line.length() <= most ? line.toString() : cut(line, most);
    }

    /** Cut a line that is longer by a character at least. */
    private static String cut(StringBuilder line, int most) {
        int end = Character.isLowSurrogate(line.charAt(most)) ? most - 1 : most;
        int word = line.lastIndexOf(" ", most);
        return line.substring(0, word >= most / 2 ? word : end).stripTrailing();
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c);
    }

    private static boolean isHalf(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** Marks of direction, and the mark of the order of bytes, which is not seen. */
    private static boolean turns(int c) {
        return c == 0x061c
                || c == 0x200e
                || c == 0x200f
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069)
                || c == 0xfeff;
    }
}
