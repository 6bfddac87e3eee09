package dev.chargehand.cli.output;

import java.util.Locale;

/**
 * Makes texts safe to print: characters that a terminal would interpret are written as escapes.
 *
 * <p>That is every control character, the characters that reverse or break a line, and the tag characters that spell
 * out an invisible text. Models, tools and documents can write anything.
 */
public final class Visible {

    private Visible() {}

    /** Return a text of several lines; line ends and tabs stay. */
    public static String text(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isTag(text, i)) {
                escape(visible, c);
                escape(visible, text.charAt(++i));
                continue;
            }
            boolean lineEnd = c == '\n' || (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n');
            append(visible, c, lineEnd || c == '\t');
        }
        return visible.toString();
    }

    /** Return one line of at most so many characters; of a longer text, its start. */
    public static String line(String text, int most) {
        StringBuilder visible = new StringBuilder();
        String stripped = text.strip();
        for (int i = 0; i < stripped.length(); ) {
            int c = stripped.codePointAt(i);
            if (visible.codePointCount(0, visible.length()) >= most) {
                return visible.append("…").toString();
            }
            switch (c) {
                case '\n' -> visible.append("\\n");
                case '\r' -> visible.append("\\r");
                case '\t' -> visible.append("\\t");
                default -> {
                    if (isTag(c)) {
                        escape(visible, Character.highSurrogate(c));
                        escape(visible, Character.lowSurrogate(c));
                    } else if (Character.isSupplementaryCodePoint(c)) {
                        visible.appendCodePoint(c);
                    } else {
                        append(visible, (char) c, false);
                    }
                }
            }
            i += Character.charCount(c);
        }
        return visible.toString();
    }

    /** Return a JSON text that means the same and holds none of the characters. */
    public static String json(String json) {
        StringBuilder visible = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            if (isTag(json, i)) {
                escape(visible, json.charAt(i++));
                escape(visible, json.charAt(i));
            } else {
                append(visible, json.charAt(i), false);
            }
        }
        return visible.toString();
    }

    private static void append(StringBuilder to, char c, boolean allowed) {
        if (allowed || !isActedOn(c)) {
            to.append(c);
        } else {
            escape(to, c);
        }
    }

    private static void escape(StringBuilder to, char c) {
        to.append("\\u").append(String.format(Locale.ROOT, "%04x", (int) c));
    }

    private static boolean isTag(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at)) && isTag(text.codePointAt(at));
    }

    /** No terminal shows tags and selectors of variants, but they can spell out a whole text. */
    private static boolean isTag(int c) {
        return c >= 0xE0000 && c <= 0xE0FFF;
    }

    private static boolean isActedOn(char c) {
        return Character.isISOControl(c)
                || switch (Character.getType(c)) {
                    case Character.FORMAT -> c != '\u00ad' && c != '\u200d' && c != '\u200c';
                    case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }
}
