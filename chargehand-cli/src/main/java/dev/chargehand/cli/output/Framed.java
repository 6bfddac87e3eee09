package dev.chargehand.cli.output;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Puts foreign lines into a frame that they cannot leave: every line starts with a bar, and a line that is too long
 * continues after a broken bar, before the terminal would break it itself.
 *
 * <p>Of many lines the first and the last are shown, with how much lies between them and its digest.
 */
final class Framed {

    private static final String BAR = "  │ ";
    private static final String BROKEN_BAR = "  ┆ ";
    private static final int MOST_COLUMNS = 72;
    private static final int MOST_LINES = 60;
    private static final int FIRST_LINES = 40;
    private static final int LAST_LINES = 10;

    private Framed() {}

    /**
     * Lines in their frame.
     *
     * @param lines to be printed as they are
     * @param whole whether nothing was left out
     */
    record Frame(List<String> lines, boolean whole) {
        Frame {
            lines = List.copyOf(lines);
        }
    }

    /** Put lines into a frame of so many columns at most, all of them if {@code whole} is true. */
    static Frame of(List<String> lines, boolean whole, int columns) {
        List<String> framed = new ArrayList<>();
        int most = Math.min(MOST_COLUMNS, columns - BAR.length());
        lines.forEach(line -> frame(line, most, framed));
        if (whole || framed.size() <= MOST_LINES) {
            return new Frame(framed, true);
        }
        List<String> hidden = framed.subList(FIRST_LINES, framed.size() - LAST_LINES);
        List<String> shown = new ArrayList<>(framed.subList(0, FIRST_LINES));
        int characters = hidden.stream()
                .mapToInt(line -> line.codePointCount(0, line.length()) - BAR.length())
                .sum();
        shown.add(String.format(
                Locale.ROOT,
                "  … not shown: %,d lines with %,d characters (SHA-256 %s)",
                hidden.size(),
                characters,
                digest(hidden)));
        shown.addAll(framed.subList(framed.size() - LAST_LINES, framed.size()));
        return new Frame(shown, false);
    }

    private static void frame(String line, int most, List<String> to) {
        StringBuilder part = new StringBuilder(BAR);
        int columns = 0;
        for (int i = 0; i < line.length(); ) {
            int end = unit(line, i);
            int wide = line.charAt(i) < 0x1100 ? end - i : 2; // at most; a line that ends early is no harm
            if (columns + wide > most) {
                to.add(part.toString());
                part = new StringBuilder(BROKEN_BAR);
                columns = 0;
            }
            part.append(line, i, end);
            columns += wide;
            i = end;
        }
        to.add(part.toString());
    }

    /** Return where something ends that must not be broken: an escape, or a character with its marks. */
    private static int unit(String line, int at) {
        if (line.charAt(at) == '\\' && at + 1 < line.length()) {
            return Math.min(line.length(), at + (line.charAt(at + 1) == 'u' ? 6 : 2));
        }
        int end = at + Character.charCount(line.codePointAt(at));
        while (end < line.length() && Revealed.isMark(line.codePointAt(end))) {
            end += Character.charCount(line.codePointAt(end));
        }
        return end;
    }

    private static String digest(List<String> lines) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            lines.forEach(line -> digest.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
