package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.ArrayList;
import java.util.List;

/** Finds the paragraphs of a plain text: what stands between blank lines. */
public final class TextBlocks {

    private TextBlocks() {}

    public static List<Block> of(List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        int first = -1;
        for (int i = 0; i <= lines.size(); i++) {
            boolean blank = i == lines.size() || lines.get(i).isBlank();
            if (!blank && first < 0) {
                first = i;
            } else if (blank && first >= 0) {
                blocks.add(new Block(first, i - 1, ""));
                first = -1;
            }
        }
        return blocks;
    }
}
