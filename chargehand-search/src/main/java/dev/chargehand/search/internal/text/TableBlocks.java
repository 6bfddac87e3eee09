package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.List;
import java.util.stream.Stream;

/** Finds the rows of a table in a text: its first line has the names of the columns, which are the heading of the others. */
public final class TableBlocks {

    private static final int LONGEST_HEADING = 200;

    private TableBlocks() {}

    /** Return whether a file has such a text, by the end of its name in lower case. */
    public static boolean areIn(String name) {
        return Stream.of(".csv", ".tsv").anyMatch(name::endsWith);
    }

    public static List<Block> of(List<String> lines) {
        if (lines.size() < 2) {
            return TextBlocks.of(lines);
        }
        String names = lines.getFirst().strip();
        String heading = names.length() > LONGEST_HEADING ? names.substring(0, LONGEST_HEADING) : names;
        return List.of(new Block(0, 0, ""), new Block(1, lines.size() - 1, heading));
    }
}
