package dev.chargehand.cli.live;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.builtins.ScreenTerminal;

/** A terminal that obeys what is written to it, and what it showed after each piece. Thread-safe. */
final class Emulated {

    /** The marks of a piece that is to be shown at once; the emulator does not know them. */
    private static final Pattern SYNCHRONISED = Pattern.compile("\u001b\\[\\?2026[hl]");

    private final ScreenTerminal terminal;
    private final int columns;
    private final int rows;
    private final StringBuilder written = new StringBuilder();
    private final List<List<String>> frames = new ArrayList<>();
    private final List<Boolean> echo = new ArrayList<>();

    Emulated(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
        this.terminal = new ScreenTerminal(columns, rows);
    }

    Screen screen() {
        return new Screen(new PrintWriter(new Pieces()), () -> columns, () -> rows, echo::add);
    }

    /** Returns what it shows, without the spaces and lines at the end. */
    synchronized List<String> shown() {
        long[] cells = new long[columns * rows];
        terminal.dump(cells, 0, 0, rows, columns, null);
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                int c = (int) (cells[row * columns + column] & 0xffffffffL);
                line.append(c == 0 ? ' ' : (char) c);
            }
            lines.add(line.toString().stripTrailing());
        }
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        return lines;
    }

    /** Returns what it showed after each piece. */
    synchronized List<List<String>> frames() {
        return List.copyOf(frames);
    }

    synchronized String written() {
        return written.toString();
    }

    /** Returns when what is typed was to be shown, and when not. */
    synchronized List<Boolean> echo() {
        return List.copyOf(echo);
    }

    private final class Pieces extends Writer {
        private final StringBuilder piece = new StringBuilder();

        @Override
        public void write(char[] text, int from, int length) {
            piece.append(text, from, length);
        }

        @Override
        public void flush() {
            synchronized (Emulated.this) {
                String text = piece.toString();
                piece.setLength(0);
                written.append(text);
                Matcher marks = SYNCHRONISED.matcher(text);
                terminal.write(marks.replaceAll(""));
                frames.add(shown());
            }
        }

        @Override
        public void close() {
            flush();
        }
    }

    static List<String> lines(String text) {
        return Arrays.asList(text.stripTrailing().split("\n", -1));
    }
}
