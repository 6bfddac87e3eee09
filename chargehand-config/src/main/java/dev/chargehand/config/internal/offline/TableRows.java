package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Makes rows of tables readable without the table: {@code Model: X2; Weight: 4 kg}. */
final class TableRows {

    private static final Pattern DELIMITERS = Pattern.compile("\\|?(?:[ \t]*+:?-++:?[ \t]*+\\|)++(?:[ \t]*+:?-++:?)?+");
    private static final Pattern ROW = Pattern.compile("[^:;\\n]{1,80}: [^\\n]+; [^:;\\n]{1,80}: [^\\n]+");
    private static final Pattern PIPE = Pattern.compile("(?<!\\\\)\\|");

    private TableRows() {}

    /** Return whether something quoted is a row with the names of its columns. */
    static boolean isRow(String quoted) {
        return ROW.matcher(quoted).matches();
    }

    /** Return whether a line is that between the names and the rows of a Markdown table. */
    static boolean isDelimiter(String line) {
        return DELIMITERS.matcher(line.strip()).matches();
    }

    /** Return the cells of a line of a Markdown table. */
    static List<String> piped(String line) {
        String inner = line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "");
        return PIPE.splitAsStream(inner).map(String::strip).toList();
    }

    /** Return the cells of a line that tabs, semicolons or commas separate; a cell may be in quotes. */
    static List<String> cells(String line) {
        char separator = line.indexOf('\t') >= 0 ? '\t' : line.indexOf(';') >= 0 ? ';' : ',';
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }

    /** Return a row with the names of its columns; empty cells are left out. */
    static String text(List<String> names, List<String> cells) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            String name = i < names.size() ? names.get(i) : "";
            if (!cells.get(i).isEmpty()) {
                pairs.add(name.isEmpty() ? cells.get(i) : name + ": " + cells.get(i));
            }
        }
        return String.join("; ", pairs);
    }
}
