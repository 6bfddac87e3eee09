package dev.chargehand.search;

import dev.chargehand.search.SearchReport.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The lines of a text file, as far as they are indexed.
 *
 * @param lines without their ends, which may be LF, CR LF or CR
 * @param bytes how many bytes were read
 */
record TextFile(List<String> lines, long bytes) {

    private static final char REPLACEMENT = '\uFFFD';

    /**
     * Reads a file, or says why it is left out.
     *
     * <p>The text is UTF-8, with U+FFFD for what is none, or UTF-16 if it begins with that byte order mark.
     *
     * @param root the real path of the folder that the file must be in
     * @param most how many bytes are read; of a larger file, the whole lines among them
     */
    static Optional<TextFile> read(Path root, Path file, int most, SkippedFiles skipped) throws InterruptedException {
        byte[] bytes;
        boolean larger;
        try {
            if (!file.toRealPath().startsWith(root)) {
                skipped.add(file, Reason.OUTSIDE_FOLDER, "has been moved out of the folder by a link");
                return Optional.empty();
            }
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                bytes = in.readNBytes(most);
                larger = bytes.length == most && in.read() >= 0;
            }
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("Interrupted while indexing.");
            }
            skipped.add(file, Reason.UNREADABLE, SkippedFiles.why(e));
            return Optional.empty();
        }
        String text = decode(bytes);
        if (isBinary(text)) {
            skipped.add(file, Reason.BINARY, "is not a text");
            return Optional.empty();
        }
        if (larger) {
            text = wholeLines(text);
            skipped.add(file, Reason.TRUNCATED, "is larger than " + most + " bytes: only that much is indexed");
        }
        return Optional.of(new TextFile(text.lines().toList(), bytes.length));
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
