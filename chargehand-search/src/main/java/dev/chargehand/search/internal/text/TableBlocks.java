package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.ArrayList;
import java.util.List;

/** Finds the rows of a table in a text, each a block: its first line has the names of the columns, which are their heading. */
public final class TableBlocks {

    private static final int LONGEST_HEADING = 200;

    private TableBlocks() {}

    public static List<Block> of(List<String> lines) {
        if (lines.size() < 2) {
            return TextBlocks.of(lines);
        }
        String names = lines.getFirst().strip();
        String heading = names.length() > LONGEST_HEADING ? names.substring(0, LONGEST_HEADING) : names;
        List<Block> rows = new ArrayList<>();
        rows.add(new Block(0, 0, ""));
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                rows.add(new Block(i, i, heading));
            }
        }
        return rows;
    }
}
