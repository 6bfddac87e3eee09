package dev.chargehand.cli.live;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jline.utils.AttributedString;

/**
 * The lower end of a terminal: permanent lines, followed by lines that are painted over.
 *
 * <p>What is painted goes out in one piece, so that nothing is seen half done, and never reaches the last column, where
 * terminals differ in what they do next. Used by one thread at a time.
 */
public final class Screen {

    private static final String BEGIN = "\u001b[?2026h";
    private static final String END = "\u001b[?2026l";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final int COLOURS = 8;
    private static final int UNKNOWN_WIDTH = 80;

    /** On a narrower terminal lines are as wide as this, and it wraps them. */
    private static final int NARROWEST = 20;

    private final PrintWriter out;
    private final IntSupplier columns;
    private final IntSupplier rows;
    private final Consumer<Boolean> echo;
    private List<AttributedString> painted = List.of();

    /**
     * Make the screen of a terminal, whose size may change at any time.
     *
     * @param echo returns whether the terminal shows typed text; it would be painted over
     */
    public Screen(PrintWriter out, IntSupplier columns, IntSupplier rows, Consumer<Boolean> echo) {
        this.echo = echo;
        this.out = out;
        this.columns = columns;
        this.rows = rows;
    }

    /** Return how many columns may be painted. */
    public int columns() {
        int known = columns.getAsInt();
        return Math.max(NARROWEST, (known <= 0 ? UNKNOWN_WIDTH : known) - 1);
    }

    /** Return how many rows may be painted. */
    int rows() {
        int known = rows.getAsInt();
        return known <= 0 ? 23 : Math.max(3, known - 1);
    }

    /**
     * Add permanent lines, and repaint the lines after them.
     *
     * @param stay of any length; the terminal breaks them
     * @param below none of them longer than {@link #columns}
     */
    void paint(List<AttributedString> stay, List<AttributedString> below) {
        if (stay.isEmpty() && below.equals(painted)) {
            return;
        }
        if (painted.isEmpty() != below.isEmpty()) {
            echo.accept(below.isEmpty());
        }
        StringBuilder all = new StringBuilder(BEGIN);
        toTheTop(all);
        if (!stay.isEmpty() || below.size() != painted.size()) {
            all.append(CLEAR_BELOW);
        }
        stay.forEach(line -> all.append(line.toAnsi(COLOURS, AttributedString.ForceMode.None))
                .append("\r\n"));
        for (int i = 0; i < below.size(); i++) {
            all.append(i == 0 ? "" : "\r\n")
                    .append(below.get(i).toAnsi(COLOURS, AttributedString.ForceMode.None))
                    .append(CLEAR_LINE);
        }
        painted = List.copyOf(below);
        out.print(all.append(END));
        out.flush();
    }

    /** The cursor is after the last painted line; a window that is, or became, narrower has wrapped some lines. */
    private void toTheTop(StringBuilder to) {
        to.append('\r');
        int known = columns.getAsInt();
        int width = known <= 0 ? UNKNOWN_WIDTH : known;
        int up = -1;
        for (AttributedString line : painted) {
            up += Math.max(1, (line.columnLength() + width - 1) / width);
        }
        if (up > 0) {
            to.append("\u001b[").append(up).append('A');
        }
    }
}
