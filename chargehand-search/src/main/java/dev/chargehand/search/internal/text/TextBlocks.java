package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import dev.chargehand.search.internal.document.MarkdownHeadings;
import dev.chargehand.search.internal.document.MarkdownHeadings.Heading;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the paragraphs of a plain text: what stands between blank lines. A heading is a line in capitals above indented
 * text, as in a manual page, or one that a line of marks underlines, as in reStructuredText.
 */
public final class TextBlocks {

    private static final Pattern CAPITALS = Pattern.compile("\\p{Lu}[\\p{Lu}\\p{N} ,/()'-]{2,59}");
    private static final Pattern TITLE = Pattern.compile("\\S.{1,99}");
    private static final Pattern UNDERLINE = Pattern.compile("([=~^\"'*+#`.:_-])\\1{2,119}\\s*");

    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();
    private final MarkdownHeadings headings = new MarkdownHeadings();

    /** The marks that underline headings: those that come first are of the higher levels. */
    private final List<Character> marks = new ArrayList<>();

    private int first = -1;
    private int bareHeadingAt = -1;
    private int bareHeadingLevel;

    private TextBlocks(List<String> lines) {
        this.lines = lines;
    }

    public static List<Block> of(List<String> lines) {
        TextBlocks reader = new TextBlocks(lines);
        int i = 0;
        while (i < lines.size()) {
            i = reader.next(i);
        }
        reader.endAt(lines.size());
        reader.keepBareHeading(0);
        return reader.blocks;
    }

    private int next(int i) {
        if (lines.get(i).isBlank()) {
            endAt(i);
            return i + 1;
        }
        boolean starts = first < 0
                || (first == i - 1 && UNDERLINE.matcher(lines.get(first)).matches());
        if (starts && isUnderlined(i)) {
            first = -1; // a line of marks above a heading is a part of it
            enter(i, level(lines.get(i + 1).charAt(0)));
            return i + 2;
        } else if (first < 0 && isInCapitals(i)) {
            enter(i, 1);
            return i + 1;
        }
        first = first < 0 ? i : first;
        return i + 1;
    }

    private void enter(int i, int level) {
        keepBareHeading(level);
        headings.enter(new Heading(level, lines.get(i).strip()));
        bareHeadingAt = i;
        bareHeadingLevel = level;
    }

    /** A heading without text is a passage of its own: else its words could not be found. */
    private void keepBareHeading(int nextLevel) {
        if (bareHeadingAt >= 0 && nextLevel <= bareHeadingLevel) {
            blocks.add(new Block(bareHeadingAt, bareHeadingAt, headings.path()));
        }
        bareHeadingAt = -1;
    }

    private void endAt(int end) {
        if (first >= 0) {
            blocks.add(new Block(first, end - 1, headings.path()));
            first = -1;
            bareHeadingAt = -1;
        }
    }

    private int level(char mark) {
        if (!marks.contains(mark)) {
            marks.add(mark);
        }
        return marks.indexOf(mark) + 1;
    }

    private boolean isUnderlined(int i) {
        return i + 1 < lines.size()
                && TITLE.matcher(lines.get(i)).matches()
                && !UNDERLINE.matcher(lines.get(i)).matches()
                && UNDERLINE.matcher(lines.get(i + 1)).matches()
                && lines.get(i + 1).strip().length() >= lines.get(i).strip().length();
    }

    private boolean isInCapitals(int i) {
        return i + 1 < lines.size()
                && CAPITALS.matcher(lines.get(i)).matches()
                && !lines.get(i + 1).isBlank()
                && Character.isWhitespace(lines.get(i + 1).charAt(0));
    }
}
