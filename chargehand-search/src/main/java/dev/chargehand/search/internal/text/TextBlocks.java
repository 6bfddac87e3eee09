package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the paragraphs of a plain text: what stands between blank lines, under a heading in capitals. */
public final class TextBlocks {

    /** As in a manual page: the text below is indented. */
    private static final Pattern HEADING = Pattern.compile("\\p{Lu}[\\p{Lu}\\p{N} ,/()'-]{2,59}");

    private TextBlocks() {}

    public static List<Block> of(List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        String heading = "";
        int first = -1;
        for (int i = 0; i <= lines.size(); i++) {
            boolean blank = i == lines.size() || lines.get(i).isBlank();
            if (!blank && first < 0 && isHeading(lines, i)) {
                heading = lines.get(i).strip();
            } else if (!blank && first < 0) {
                first = i;
            } else if (blank && first >= 0) {
                blocks.add(new Block(first, i - 1, heading));
                first = -1;
            }
        }
        return blocks;
    }

    private static boolean isHeading(List<String> lines, int i) {
        return i + 1 < lines.size()
                && HEADING.matcher(lines.get(i)).matches()
                && !lines.get(i + 1).isBlank()
                && Character.isWhitespace(lines.get(i + 1).charAt(0));
    }
}
