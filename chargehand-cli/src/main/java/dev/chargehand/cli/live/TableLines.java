package dev.chargehand.cli.live;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/** Paints a table: in columns whose cells are broken where words end, or, where there is no room for those, cell by cell. */
final class TableLines {

    /** A column of less is not read. */
    private static final int NARROWEST = 10;

    private static final AttributedString GAP = new AttributedString("  ");

    private final Look look;
    private final int columns;

    TableLines(Look look, int columns) {
        this.look = look;
        this.columns = columns;
    }

    /** Return the lines of a table whose first row is its heading; all rows have as many cells. */
    List<AttributedString> of(List<List<AttributedString>> rows) {
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).columnLength())
                        .max()
                        .orElse(0))
                .toArray();
        int room = columns - GAP.length() * (widths.length - 1);
        return shrunk(widths, room) ? inColumns(rows, widths) : cellByCell(rows);
    }

    /** Take from the widest column until all fit. */
    private static boolean shrunk(int[] widths, int room) {
        while (IntStream.of(widths).sum() > room) {
            int widest = IntStream.range(0, widths.length)
                    .reduce(0, (best, next) -> widths[next] > widths[best] ? next : best);
            if (widths[widest] <= NARROWEST) {
                return false;
            }
            widths[widest]--;
        }
        return true;
    }

    private List<AttributedString> inColumns(List<List<AttributedString>> rows, int[] widths) {
        List<AttributedString> lines = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            List<AttributedString> cells = rows.get(row);
            List<List<AttributedString>> broken = IntStream.range(0, widths.length)
                    .mapToObj(i -> Look.wrap(
                            cells.get(i), AttributedString.EMPTY, AttributedString.EMPTY, Math.max(1, widths[i])))
                    .toList();
            int height = broken.stream().mapToInt(List::size).max().orElse(0);
            for (int line = 0; line < height; line++) {
                lines.add(line(broken, line, widths));
            }
            if (row == 0) {
                lines.add(new AttributedString(
                        look.rule().repeat(IntStream.of(widths).sum() + GAP.length() * (widths.length - 1)),
                        look.faint()));
            }
        }
        return lines;
    }

    private static AttributedString line(List<List<AttributedString>> broken, int number, int[] widths) {
        AttributedStringBuilder line = new AttributedStringBuilder();
        int missing = 0;
        for (int i = 0; i < widths.length; i++) {
            List<AttributedString> parts = broken.get(i);
            AttributedString part = number < parts.size() ? parts.get(number) : AttributedString.EMPTY;
            if (part.length() > 0) { // no spaces at the end of a line
                line.append(" ".repeat(missing)).append(part);
                missing = 0;
            }
            missing += widths[i] - part.columnLength() + GAP.length();
        }
        return line.toAttributedString();
    }

    private List<AttributedString> cellByCell(List<List<AttributedString>> rows) {
        List<AttributedString> lines = new ArrayList<>();
        AttributedString colon = new AttributedString(": ");
        for (List<AttributedString> row : rows.subList(1, rows.size())) {
            for (int i = 0; i < row.size(); i++) {
                AttributedString cell = AttributedString.join(
                        AttributedString.EMPTY, rows.getFirst().get(i), colon, row.get(i));
                lines.addAll(Look.wrap(cell, AttributedString.EMPTY, GAP, columns));
            }
            lines.add(AttributedString.EMPTY);
        }
        return lines.isEmpty() ? lines : lines.subList(0, lines.size() - 1);
    }
}
