package dev.chargehand.completion;

/** Finds the code blocks of a text in Markdown, in one pass. */
final class FencedCode {

    private static final int MARKS = 3;

    private FencedCode() {}

    /** Return a text with blanks for its code, so that what is left stays where it is. A block may lack its end. */
    static String blankedOut(String text) {
        StringBuilder rest = new StringBuilder(text.length());
        int kept = 0;
        int at = fence(text, 0, "");
        while (at >= 0) {
            String marks = text.substring(at, at + MARKS);
            int close = fence(text, endOfLine(text, at), marks);
            int end = close < 0 ? text.length() : close + MARKS;
            rest.append(text, kept, at).append(Citations.blank(text.substring(at, end)));
            kept = end;
            at = fence(text, endOfLine(text, end), "");
        }
        return rest.append(text, kept, text.length()).toString();
    }

    /**
     * Return where the first fence is at or below a place where a line starts, or -1.
     *
     * @param marks the marks it is built from; empty for either kind
     */
    private static int fence(String text, int from, String marks) {
        for (int line = from; line < text.length(); line = endOfLine(text, line)) {
            int at = line;
            while (at < text.length() && text.charAt(at) <= ' ' && text.charAt(at) != '\n') {
                at++;
            }
            boolean found = marks.isEmpty()
                    ? text.startsWith("```", at) || text.startsWith("~~~", at)
                    : text.startsWith(marks, at);
            if (found) {
                return at;
            }
        }
        return -1;
    }

    /** Return where the next line starts. */
    private static int endOfLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }
}
