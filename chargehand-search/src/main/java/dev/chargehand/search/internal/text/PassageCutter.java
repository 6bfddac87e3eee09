package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import dev.chargehand.search.internal.document.DocumentText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Makes passages of a readable size out of blocks: joins what is introduced, cuts what is long. */
public final class PassageCutter {

    /** The most characters of a passage. */
    public static final int LONGEST = 1_200;

    private static final Pattern ITEM = Pattern.compile("\\s*(?:[-*+]|\\d{1,9}[.)])[ \t]");

    private final DocumentText text;
    private final List<String> lines;
    private final List<Piece> pieces = new ArrayList<>();

    /**
     * A passage of a file that is not named yet.
     *
     * @param place the part of its source after the file
     */
    public record Piece(String place, String heading, String text) {}

    private PassageCutter(DocumentText text) {
        this.text = text;
        this.lines = text.lines();
    }

    public static List<Piece> cut(DocumentText text) {
        PassageCutter cutter = new PassageCutter(text);
        List<Block> blocks = text.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            while (i + 1 < blocks.size() && cutter.introduces(block, blocks.get(i + 1))) {
                block = new Block(block.first(), blocks.get(++i).last(), block.heading());
            }
            cutter.cut(block);
        }
        return cutter.pieces;
    }

    /** "These are the kinds:" and the list that follows are read together, if they are short enough. */
    private boolean introduces(Block block, Block next) {
        return block.heading().equals(next.heading())
                && lines.get(block.last()).stripTrailing().endsWith(":")
                && size(block.first(), next.last()) <= LONGEST;
    }

    private void cut(Block block) {
        int from = block.first();
        while (from <= block.last()) {
            if (lines.get(from).length() > LONGEST) {
                cutLine(from, block.heading());
                from++;
            } else {
                int to = endOfPiece(from, block.last());
                keep(from, String.join("\n", lines.subList(from, to + 1)), block.heading());
                from = to + 1;
            }
        }
    }

    private int endOfPiece(int from, int last) {
        int to = from;
        int size = lines.get(from).length();
        while (to < last && size + 1 + lines.get(to + 1).length() <= LONGEST) {
            to++;
            size += 1 + lines.get(to).length();
        }
        if (to == last) {
            return to;
        }
        for (int i = to; i > from + (to - from) / 2; i--) {
            if (isGoodEnd(i)) {
                return i;
            }
        }
        return to;
    }

    private boolean isGoodEnd(int i) {
        String next = lines.get(i + 1);
        String line = lines.get(i).stripTrailing();
        return next.isBlank()
                || ITEM.matcher(next).lookingAt()
                || line.endsWith(".")
                || line.endsWith("!")
                || line.endsWith("?");
    }

    private void cutLine(int i, String heading) {
        String line = lines.get(i);
        int from = 0;
        while (from < line.length()) {
            int end = endOfPiece(line, from);
            String piece = line.substring(from, end);
            if (!piece.isBlank()) {
                keep(i, piece, heading);
            }
            from = end;
        }
    }

    /** After a sentence if one ends in the second half, else between words, else anywhere but within a character. */
    private static int endOfPiece(String line, int from) {
        int most = from + LONGEST;
        if (line.length() <= most) {
            return line.length();
        }
        String part = line.substring(from, most + 1);
        int sentence = part.lastIndexOf(". ") + 1;
        if (sentence > LONGEST / 2) {
            return from + sentence;
        }
        int word = part.lastIndexOf(' ');
        if (word > LONGEST / 2) {
            return from + word;
        }
        return Character.isHighSurrogate(line.charAt(most - 1)) ? most - 1 : most;
    }

    /** The place is that of the first line that shows. */
    private void keep(int first, String whole, String heading) {
        int line = first;
        String shown = whole;
        while (!shown.isEmpty() && shown.lines().findFirst().orElse("").isBlank()) {
            int end = shown.indexOf('\n');
            shown = end < 0 ? "" : shown.substring(end + 1);
            line++;
        }
        if (!shown.isBlank()) {
            pieces.add(new Piece(text.place(line), heading, shown.strip()));
        }
    }

    private int size(int first, int last) {
        int size = last - first;
        for (int i = first; i <= last; i++) {
            size += lines.get(i).length();
        }
        return size;
    }
}
