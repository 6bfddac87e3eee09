package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the entries of a JSON or YAML text by its indentation: an entry with its descendants is a block if it is short,
 * else its parts are, and their heading is the path of keys to them. Values in a row without descendants are a block.
 */
public final class DataBlocks {

    /** The most characters of an entry that is read as a whole. */
    private static final int LONGEST = 400;

    private static final String SEPARATOR = " > ";
    private static final Pattern KEY =
            Pattern.compile("(?:- +)*+[\"']?([^\"':{}\\[\\]]{1,60})[\"']?\\s*:\\s*[\\[{|>]?[-+]?");

    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();

    private DataBlocks(List<String> lines) {
        this.lines = lines;
    }

    public static List<Block> of(List<String> lines) {
        DataBlocks data = new DataBlocks(lines);
        data.add(0, lines.size(), 0, "");
        return data.blocks;
    }

    /** Add the entries of some lines, the first of which starts a row of values together with the lines before it. */
    private void add(int from, int to, int rowFrom, String heading) {
        int row = rowFrom;
        int i = from;
        while (i < to) {
            int end = endOfEntry(i, to);
            if (end == i + 1) {
                if (size(row, end) > LONGEST) {
                    keep(row, i, heading);
                    row = i;
                }
            } else if (size(i, end) <= LONGEST) {
                keep(row, i, heading);
                keep(i, end, heading);
                row = end;
            } else {
                keep(row, i, heading);
                add(i + 1, end, i, below(heading, lines.get(i).strip()));
                row = end;
            }
            i = end;
        }
        keep(row, to, heading);
    }

    /** The lines below an entry are deeper, blank, or end what it opened. */
    private int endOfEntry(int first, int to) {
        int depth = depth(lines.get(first));
        int i = first + 1;
        while (i < to && (lines.get(i).isBlank() || isEnd(lines.get(i)) || depth(lines.get(i)) > depth)) {
            i++;
        }
        return i;
    }

    private void keep(int from, int to, String heading) {
        int first = from;
        int last = to - 1;
        while (first <= last && (lines.get(first).isBlank() || isEnd(lines.get(first)))) {
            first++;
        }
        while (last >= first && lines.get(last).isBlank()) {
            last--;
        }
        if (first <= last) {
            blocks.add(new Block(first, last, heading));
        }
    }

    private int size(int from, int to) {
        int size = 0;
        for (int i = from; i < to; i++) {
            size += lines.get(i).length() + 1;
        }
        return size;
    }

    private static String below(String heading, String line) {
        Matcher key = KEY.matcher(line);
        if (!key.matches()) {
            return heading;
        }
        return heading.isEmpty()
                ? key.group(1).strip()
                : heading + SEPARATOR + key.group(1).strip();
    }

    private static boolean isEnd(String line) {
        String text = line.strip();
        return text.startsWith("}") || text.startsWith("]");
    }

    /** An item of a list may be as far to the left as the key that it is below. */
    private static int depth(String line) {
        String text = line.stripLeading();
        return 2 * (line.length() - text.length()) + (text.startsWith("- ") ? 1 : 0);
    }
}
