package dev.chargehand.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Puts words into columns. */
public final class Table {

    private Table() {}

    /** Return a line for each row, its columns two spaces apart; all rows have as many. */
    public static List<String> lines(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                int column = i;
                int widest = rows.stream()
                        .mapToInt(each -> each.get(column).length())
                        .max()
                        .orElse(0);
                line.append(row.get(i)).append(" ".repeat(widest - row.get(i).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
