package dev.chargehand.search.internal.text;

import dev.chargehand.search.internal.document.Block;
import dev.chargehand.search.internal.document.MarkdownHeadings;
import dev.chargehand.search.internal.document.MarkdownHeadings.Heading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the blocks of a Markdown file and their headings.
 *
 * <p>It knows as much Markdown as that needs: what it takes for a paragraph though it is something rarer is still
 * found, with the right line. Front matter and comments are left out, since a reader does not see them.
 */
public final class MarkdownBlocks {

    private static final Pattern FENCE = Pattern.compile("\\s*(`{3,}|~{3,})");
    private static final Pattern ITEM = Pattern.compile(" {0,3}(?:[-*+]|\\d{1,9}[.)])[ \t]");
    private static final Pattern INDENTED = Pattern.compile("(?: {2}|\t)");

    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();
    private final MarkdownHeadings headings = new MarkdownHeadings();
    private int at;
    private int bareHeadingAt = -1;
    private int bareHeadingLevel;

    private MarkdownBlocks(List<String> lines) {
        this.lines = lines;
    }

    public static List<Block> of(List<String> lines) {
        MarkdownBlocks reader = new MarkdownBlocks(lines);
        reader.skipFrontMatter();
        while (reader.at < lines.size()) {
            reader.next();
        }
        reader.keepBareHeading(0);
        return reader.blocks;
    }

    private void next() {
        String line = lines.get(at);
        Optional<Heading> heading = heading(at);
        if (line.isBlank() || isRule(line)) {
            at++;
        } else if (line.strip().startsWith("<!--")) {
            skipComment();
        } else if (heading.isPresent()) {
            keepBareHeading(heading.get().level());
            headings.enter(heading.get());
            bareHeadingAt = at;
            bareHeadingLevel = heading.get().level();
            at += MarkdownHeadings.hashed(line).isPresent() ? 1 : 2;
        } else if (isFence(line)) {
            keep(endOfFence(at));
        } else if (isItem(line)) {
            keep(endOfList(at));
        } else {
            keep(endOfParagraph());
        }
    }

    /** A heading without text is a passage of its own: else its words could not be found. */
    private void keepBareHeading(int nextLevel) {
        if (bareHeadingAt >= 0 && nextLevel <= bareHeadingLevel) {
            blocks.add(new Block(bareHeadingAt, bareHeadingAt, headings.path()));
        }
        bareHeadingAt = -1;
    }

    private void keep(int last) {
        blocks.add(new Block(at, last, headings.path()));
        bareHeadingAt = -1;
        at = last + 1;
    }

    private Optional<Heading> heading(int i) {
        String line = lines.get(i);
        Optional<Heading> hashed = MarkdownHeadings.hashed(line);
        boolean plain =
                !line.isBlank() && !isItem(line) && !isFence(line) && !line.startsWith("|") && !line.startsWith(">");
        return hashed.isPresent() || !plain || i + 1 == lines.size()
                ? hashed
                : MarkdownHeadings.underlined(line, lines.get(i + 1));
    }

    private int endOfParagraph() {
        int i = at + 1;
        while (i < lines.size()
                && !lines.get(i).isBlank()
                && !isFence(lines.get(i))
                && heading(i).isEmpty()) {
            if (isItem(lines.get(i))) {
                return endOfList(i);
            }
            if (isRule(lines.get(i))) {
                break;
            }
            i++;
        }
        return i - 1;
    }

    /** Skip blank lines as long as another item or indented text follows. */
    private int endOfList(int from) {
        int last = from;
        int i = from;
        while (i < lines.size()) {
            String line = lines.get(i);
            if (line.isBlank()) {
                i++;
                continue;
            }
            boolean afterBlank = i - last > 1;
            boolean continues = isItem(line) || INDENTED.matcher(line).lookingAt();
            if (isRule(line)
                    || (afterBlank && !continues)
                    || MarkdownHeadings.hashed(line).isPresent()) {
                break;
            }
            last = isFence(line) ? endOfFence(i) : i;
            i = last + 1;
        }
        return last;
    }

    /** A fence that is never closed reaches to the end of the file. */
    private int endOfFence(int from) {
        Matcher opening = FENCE.matcher(lines.get(from));
        String marks = opening.lookingAt() ? opening.group(1) : "```";
        for (int i = from + 1; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.startsWith(marks) && line.chars().allMatch(c -> c == marks.charAt(0))) {
                return i;
            }
        }
        return lines.size() - 1;
    }

    private void skipFrontMatter() {
        if (lines.isEmpty() || !lines.getFirst().equals("---")) {
            return;
        }
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).equals("---")) {
                at = i + 1;
                return;
            }
        }
    }

    private void skipComment() {
        int from = lines.get(at).indexOf("<!--");
        while (at < lines.size() && lines.get(at).indexOf("-->", from) < 0) {
            from = 0;
            at++;
        }
        at++;
    }

    private static boolean isFence(String line) {
        return FENCE.matcher(line).lookingAt();
    }

    private static boolean isItem(String line) {
        return ITEM.matcher(line).lookingAt();
    }

    /** A line of three or more stars, dashes or underscores and nothing else. */
    private static boolean isRule(String line) {
        String marks = line.replace(" ", "").replace("\t", "");
        return marks.length() >= 3
                && "*-_".indexOf(marks.charAt(0)) >= 0
                && marks.chars().allMatch(c -> c == marks.charAt(0));
    }
}
