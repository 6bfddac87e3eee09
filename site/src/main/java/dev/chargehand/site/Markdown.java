package dev.chargehand.site;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/** Reads Markdown the way GitHub does: its tables, and its anchors of headings. */
final class Markdown {

    static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

    private static final Parser PARSER = Parser.builder()
            .extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();

    private Markdown() {}

    static Page page(String source, String text) {
        Node node = PARSER.parse(text);
        withoutComments(node);
        List<Heading> headings = new ArrayList<>();
        IdGenerator ids = IdGenerator.builder().build();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(org.commonmark.node.Heading heading) {
                String title = words(heading);
                headings.add(new Heading(heading.getLevel(), ids.generateId(title), title));
            }
        });
        return new Page(source, node, headings);
    }

    /** A comment is for who edits the page; it would be the only HTML on it. */
    private static void withoutComments(Node page) {
        List<HtmlBlock> comments = new ArrayList<>();
        page.accept(new AbstractVisitor() {
            @Override
            public void visit(HtmlBlock block) {
                if (block.getLiteral().matches("(?s)\\s*<!--((?!-->).)*-->\\s*")) {
                    comments.add(block);
                }
            }
        });
        comments.forEach(Node::unlink);
    }

    /** Return the words of a node, in one line and without marks. */
    static String words(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new Words(words));
        return words.toString().replaceAll("\\s+", " ").strip();
    }

    /** Return the line on which a node starts, from 1. */
    static int line(Node node) {
        for (Node place = node; place != null; place = place.getParent()) {
            if (!place.getSourceSpans().isEmpty()) {
                return place.getSourceSpans().getFirst().getLineIndex() + 1;
            }
        }
        return 1;
    }
}
