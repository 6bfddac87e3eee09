package dev.chargehand.search.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The text of a text file. */
public final class TextFile {

    private static final char REPLACEMENT = '\uFFFD';

    private TextFile() {}

    /**
     * Return the lines of a text, without their ends, which may be LF, CR LF or CR; empty if it is not a text.
     *
     * <p>The text is UTF-8, with U+FFFD for invalid bytes, or UTF-16 if it starts with that byte order mark.
     *
     * @param cut whether there is more in the file: then only whole lines count
     */
    public static Optional<List<String>> lines(byte[] bytes, boolean cut) {
        String text = decode(bytes);
        if (isBinary(text)) {
            return Optional.empty();
        }
        return Optional.of((cut ? wholeLines(text) : text).lines().toList());
    }

    private static String decode(byte[] bytes) {
        if (startsWith(bytes, 0xFE, 0xFF) || startsWith(bytes, 0xFF, 0xFE)) {
            return new String(bytes, StandardCharsets.UTF_16);
        }
        int mark = startsWith(bytes, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        return new String(bytes, mark, bytes.length - mark, StandardCharsets.UTF_8);
    }

    /** A NUL, or more than a few characters and a tenth that no text has. */
    private static boolean isBinary(String text) {
        long odd = text.chars()
                .filter(c -> c == REPLACEMENT || (c < ' ' && !Character.isWhitespace(c) && c != '\u001B'))
                .count();
        return text.indexOf('\0') >= 0 || odd > Math.max(8, text.length() / 10);
    }

    /** Half a line, or half a character, would be a passage that the file does not hold. */
    private static String wholeLines(String text) {
        int end = text.lastIndexOf('\n');
        if (end >= 0) {
            return text.substring(0, end + 1);
        }
        int last = text.length();
        while (last > 0 && (text.charAt(last - 1) == REPLACEMENT || Character.isHighSurrogate(text.charAt(last - 1)))) {
            last--;
        }
        return text.substring(0, last);
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        byte[] expected = new byte[mark.length];
        for (int i = 0; i < mark.length; i++) {
            expected[i] = (byte) mark[i];
        }
        return bytes.length >= mark.length && Arrays.equals(bytes, 0, mark.length, expected, 0, mark.length);
    }
}
