package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a moving picture of a terminal from what a run of the command printed: each line appears when it was printed, by
 * the time that it starts with. Readers who want no motion see all of it at once.
 */
public final class TerminalPicture {

    private static final Pattern TIME = Pattern.compile(" +(\\d+\\.\\d\\d)s  .*");
    private static final double LINE = 17;
    private static final double CHARACTER = 7.9;
    private static final double MARGIN = 16;

    /** Between the command and the first line that it prints, as a reader needs it. */
    private static final double START = 0.8;

    private TerminalPicture() {}

    /**
     * Make a picture.
     *
     * @param arguments the recording and the file to write
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("Wanted: RECORDING PICTURE");
            System.exit(2);
        }
        Files.writeString(Path.of(arguments[1]), of(Files.readAllLines(Path.of(arguments[0]))));
    }

    /** Return the picture of the lines of a recording, the first of which is the command. */
    static String of(List<String> lines) {
        int widest = lines.stream().mapToInt(String::length).max().orElse(0);
        double width = 2 * MARGIN + widest * CHARACTER;
        double height = 2 * MARGIN + lines.size() * LINE;
        StringBuilder svg = new StringBuilder(String.format(Locale.ROOT, """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$.0f %2$.0f" width="%1$.0f" height="%2$.0f" role="img" aria-labelledby="title">
                <title id="title">A run of the command: a supervisor delegates to a librarian and to a writer, and answers with citations.</title>
                <style>
                  text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e3e9e8; white-space: pre; animation: appear 0.01s both; }
                  .command { fill: #ffffff; font-weight: 600; }
                  .progress { fill: #8fd0c8; }
                  .note { fill: #9aa8a6; }
                  @keyframes appear { from { opacity: 0; } to { opacity: 1; } }
                  @media (prefers-reduced-motion: reduce) { text { animation: none; } }
                </style>
                <rect width="%1$.0f" height="%2$.0f" rx="8" fill="#172221"/>
                """, width, height));
        double time = 0;
        boolean isNote = true;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher timed = TIME.matcher(line);
            if (timed.matches()) {
                time = START + Double.parseDouble(timed.group(1));
            } else if (i == 1) {
                time = START;
            }
            isNote = line.isEmpty() ? i > lines.size() - 5 : isNote;
            String style = i == 0 ? "command" : timed.matches() ? "progress" : isNote ? "note" : "answer";
            if (!line.isEmpty()) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\" style=\"animation-delay: %.2fs\" xml:space=\"preserve\">%s</text>\n",
                        style,
                        MARGIN,
                        MARGIN + (i + 0.8) * LINE,
                        time,
                        escaped(line)));
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
