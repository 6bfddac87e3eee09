package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the entries of a JSON or YAML text by its indentation: an entry with its descendants is a block if it is short,
 * else its parts are, and their heading is the path of keys to them. Values in a row without descendants are a block.
 *
 * <p>The text need not be valid. Its lines are gone through once to find the ends of entries, however deep they are.
 */
public final class DataBlocks {

    /** The most characters of an entry that is read as a whole. */
    private static final int LONGEST = 400;

    /** How deep an entry is at most whose parts are blocks: a deeper one is cut as it comes, and no heading is longer. */
    private static final int MOST_LEVELS = 15;

    /** The depth of what ends all entries. */
    private static final int OUTSIDE = -1;

    private static final String SEPARATOR = " > ";

    /** A key above its entry, in YAML with an anchor, a type, the mark of a text, or a comment. */
    private static final Pattern KEY = Pattern.compile("(?:- +)*+[\"']?([^\"':{}\\[\\]]{1,60})[\"']?\\s*:"
            + "(?:\\s++[&!]\\S*+)*+\\s*+(?:[\\[{]|[|>][-+\\d]*+)?\\s*+(?:#.*)?");

    private final List<String> lines;

    /** The line after each entry and its descendants. */
    private final int[] ends;

    private final List<Block> blocks = new ArrayList<>();

    private DataBlocks(List<String> lines) {
        this.lines = lines;
        this.ends = ends(lines);
    }

    /** Return whether a file has such a text, by the end of its name in lower case. */
    public static boolean areIn(String name) {
        return Stream.of(".json", ".yaml", ".yml").anyMatch(name::endsWith);
    }

    public static List<Block> of(List<String> lines) {
        DataBlocks data = new DataBlocks(lines);
        data.add(0, lines.size(), 0, "", 0);
        return data.blocks;
    }

    /** Add the entries of some lines, the first of which starts a row of values together with the lines before it. */
    private void add(int from, int to, int rowFrom, String heading, int level) {
        int row = rowFrom;
        int i = from;
        while (i < to) {
            int end = ends[i];
            if (isBetween(lines.get(i))) {
                keep(row, i, heading);
                row = end;
            } else if (end == i + 1) {
                if (!isShort(row, end)) {
                    keep(row, i, heading);
                    row = i;
                }
            } else {
                keep(row, i, heading);
                if (level == MOST_LEVELS || isShort(i, end)) {
                    keep(i, end, heading);
                } else {
                    add(i + 1, end, i, below(heading, lines.get(i).strip()), level + 1);
                }
                row = end;
            }
            i = end;
        }
        keep(row, to, heading);
    }

    /** Deeper lines are descendants of an entry, with the lines between them; one without descendants ends with its line. */
    private static int[] ends(List<String> lines) {
        int[] ends = new int[lines.size()];
        Arrays.setAll(ends, i -> i + 1);
        int[] depths = new int[ends.length];
        int[] open = new int[ends.length];
        int opened = 0;
        int last = -1;
        for (int i = 0; i <= ends.length; i++) {
            int depth = i == ends.length ? OUTSIDE : depth(lines.get(i));
            while (opened > 0 && depths[open[opened - 1]] >= depth) {
                int entry = open[--opened];
                ends[entry] = entry == last ? entry + 1 : i;
            }
            if (i < ends.length && !isBetween(lines.get(i))) {
                depths[i] = depth;
                open[opened++] = i;
                last = i;
            }
        }
        return ends;
    }

    private void keep(int from, int to, String heading) {
        int last = to - 1;
        while (last >= from && lines.get(last).isBlank()) {
            last--;
        }
        if (from <= last) {
            blocks.add(new Block(from, last, heading));
        }
    }

    private boolean isShort(int from, int to) {
        int size = 0;
        for (int i = from; i < to && size <= LONGEST; i++) {
            size += lines.get(i).length() + 1;
        }
        return size <= LONGEST;
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

    /** A line that is not an entry: it is blank, ends what was opened, or is between documents. */
    private static boolean isBetween(String line) {
        return isPartOfAnother(line.strip()) || isDocumentMark(line);
    }

    private static boolean isPartOfAnother(String text) {
        return text.isEmpty() || text.startsWith("}") || text.startsWith("]");
    }

    private static boolean isDocumentMark(String line) {
        return (line.startsWith("---") || line.startsWith("..."))
                && line.substring(3).isBlank();
    }

    /** An item of a list may be as far to the left as the key that it is below. */
    private static int depth(String line) {
        String text = line.strip();
        if (isPartOfAnother(text)) {
            return Integer.MAX_VALUE;
        }
        return isDocumentMark(line)
                ? OUTSIDE
                : 2 * line.indexOf(text) + (text.equals("-") || text.startsWith("- ") ? 1 : 0);
    }
}
