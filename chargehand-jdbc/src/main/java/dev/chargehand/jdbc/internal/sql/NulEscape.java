package dev.chargehand.jdbc.internal.sql;

/**
 * Writes texts without U+0000, which PostgreSQL rejects, and restores them when reading.
 *
 * <p>U+0000 becomes U+0001 and a {@code 0}, and U+0001 becomes U+0001 and a {@code 1}; nothing else changes, and
 * written texts have the order of the texts. JSON has neither character, so that a fact is kept letter by letter.
 */
public final class NulEscape {

    private static final char NUL = 0;
    private static final char MARK = 1;

    private NulEscape() {}

    public static String escape(String text) {
        if (text.indexOf(NUL) < 0 && text.indexOf(MARK) < 0) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == NUL || c == MARK) {
                escaped.append(MARK).append((char) ('0' + c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    public static String unescape(String escaped) {
        if (escaped.indexOf(MARK) < 0) {
            return escaped;
        }
        StringBuilder text = new StringBuilder(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            text.append(c == MARK && i + 1 < escaped.length() ? (char) (escaped.charAt(++i) - '0') : c);
        }
        return text.toString();
    }
}
