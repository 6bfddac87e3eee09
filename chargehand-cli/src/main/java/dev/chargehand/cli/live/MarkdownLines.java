package dev.chargehand.cli.live;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * Puts a text in Markdown into lines of a terminal. Every character of the text is kept, except the marks that a style
 * stands for; line ends stay where the author set them. Used once, by one thread.
 */
final class MarkdownLines {

    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    private final Look look;
    private final int columns;
    private final List<AttributedString> lines = new ArrayList<>();
    private final List<AttributedString> indents = new ArrayList<>();
    private AttributedString marker = AttributedString.EMPTY;
    private AttributedStringBuilder current = new AttributedStringBuilder();
    private AttributedStyle style = AttributedStyle.DEFAULT;

    MarkdownLines(Look look, int columns) {
        this.look = look;
        this.columns = columns;
    }

    List<AttributedString> of(String markdown) {
        PARSER.parse(markdown).accept(new Writer());
        while (!lines.isEmpty() && lines.getLast().length() == 0) {
            lines.removeLast();
        }
        return List.copyOf(lines);
    }

    private final class Writer extends AbstractVisitor {

        @Override
        public void visit(Heading heading) {
            styled(look.strong(), () -> visitChildren(heading));
            endBlock(heading);
        }

        @Override
        public void visit(Paragraph paragraph) {
            visitChildren(paragraph);
            endBlock(paragraph);
        }

        @Override
        public void visit(BlockQuote quote) {
            within(new AttributedString(look.bar(), look.faint()), () -> visitChildren(quote));
        }

        @Override
        public void visit(BulletList list) {
            visitChildren(list);
            endList(list);
        }

        @Override
        public void visit(OrderedList list) {
            visitChildren(list);
            endList(list);
        }

        @Override
        public void visit(ListItem item) {
            marker = new AttributedString(markerOf(item));
            within(new AttributedString(" ".repeat(marker.length())), () -> {
                visitChildren(item);
                if (marker.length() > 0) { // an empty item
                    endLine();
                }
            });
        }

        @Override
        public void visit(FencedCodeBlock block) {
            code(block.getLiteral());
            endBlock(block);
        }

        @Override
        public void visit(IndentedCodeBlock block) {
            code(block.getLiteral());
            endBlock(block);
        }

        @Override
        public void visit(HtmlBlock block) {
            raw(block.getLiteral());
            endBlock(block);
        }

        @Override
        public void visit(ThematicBreak rule) {
            append(look.rule().repeat(Math.min(20, columns)), look.faint());
            endBlock(rule);
        }

        @Override
        public void visit(CustomBlock block) {
            List<List<AttributedString>> rows = new ArrayList<>();
            for (Node part = block.getFirstChild(); part != null; part = part.getNext()) {
                boolean heading = part instanceof TableHead;
                for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                    rows.add(cells(row, heading));
                }
            }
            int room = columns
                    - indents.stream().mapToInt(AttributedString::columnLength).sum();
            for (AttributedString line : new TableLines(look, room).of(rows)) {
                current.append(line);
                endLine();
            }
            endBlock(block);
        }

        private List<AttributedString> cells(Node row, boolean heading) {
            List<AttributedString> cells = new ArrayList<>();
            for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
                Node content = cell;
                AttributedStringBuilder before = current;
                current = new AttributedStringBuilder();
                styled(heading ? look.strong() : style, () -> visitChildren(content));
                cells.add(current.toAttributedString());
                current = before;
            }
            return cells;
        }

        @Override
        public void visit(Text text) {
            append(text.getLiteral(), style);
        }

        @Override
        public void visit(Code code) {
            append(code.getLiteral(), look.colour(AttributedStyle.CYAN));
        }

        @Override
        public void visit(Emphasis emphasis) {
            styled(look.style(style.italic()), () -> visitChildren(emphasis));
        }

        @Override
        public void visit(StrongEmphasis strong) {
            styled(look.style(style.bold()), () -> visitChildren(strong));
        }

        @Override
        public void visit(Link link) {
            visitChildren(link);
            append(" (" + link.getDestination() + ")", look.faint());
        }

        @Override
        public void visit(Image image) {
            visitChildren(image);
            append(" (" + image.getDestination() + ")", look.faint());
        }

        @Override
        public void visit(HtmlInline html) {
            append(html.getLiteral(), style);
        }

        @Override
        public void visit(SoftLineBreak lineBreak) {
            endLine();
        }

        @Override
        public void visit(HardLineBreak lineBreak) {
            endLine();
        }

        private String markerOf(ListItem item) {
            if (!(item.getParent() instanceof OrderedList list)) {
                return look.bullet();
            }
            Integer first = list.getMarkerStartNumber();
            int number = first == null ? 1 : first;
            for (Node before = item.getPrevious(); before != null; before = before.getPrevious()) {
                number++;
            }
            return number + ". ";
        }

        /** A blank line between blocks; between the items of a list only where its author left one. */
        private void endBlock(Node block) {
            endLine();
            Node above = block.getParent();
            boolean tight = above instanceof ListItem item
                    && item.getParent() instanceof org.commonmark.node.ListBlock list
                    && list.isTight();
            if (!tight) {
                blank();
            }
        }

        private void endList(Node list) {
            if (!(list.getParent() instanceof ListItem)) {
                blank();
            }
        }

        private void blank() {
            if (!lines.isEmpty() && lines.getLast().length() > 0) {
                lines.add(AttributedString.EMPTY);
            }
        }

        private void code(String literal) {
            within(new AttributedString(look.bar(), look.faint()), () -> raw(literal));
        }

        private void raw(String literal) {
            literal.stripTrailing().lines().forEach(line -> {
                append(line, AttributedStyle.DEFAULT);
                endLine();
            });
        }

        private void styled(AttributedStyle with, Runnable content) {
            AttributedStyle before = style;
            style = with;
            content.run();
            style = before;
        }

        private void within(AttributedString indent, Runnable content) {
            indents.add(indent);
            content.run();
            indents.removeLast();
        }
    }

    private void append(String text, AttributedStyle with) {
        current.append(text, with);
    }

    /** The first line of an item has its marker in place of the innermost indent. */
    private void endLine() {
        AttributedString line = current.toAttributedString();
        current = new AttributedStringBuilder();
        AttributedString indent = AttributedString.join(AttributedString.EMPTY, indents);
        AttributedString first = marker.length() == 0
                ? indent
                : AttributedString.join(
                        AttributedString.EMPTY,
                        AttributedString.join(AttributedString.EMPTY, indents.subList(0, indents.size() - 1)),
                        marker);
        marker = AttributedString.EMPTY;
        lines.addAll(Look.wrap(line, first, indent, columns));
    }
}
