package dev.chargehand.site;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.node.Code;
import org.commonmark.node.Node;
import tools.jackson.databind.json.JsonMapper;

/**
 * The index of the site's search: the text below each heading, and each row of a table that starts with a name in code
 * marks, such as an option or an error code.
 */
final class SearchIndex {

    /**
     * A part of a page.
     *
     * @param page the title of its page
     * @param heading its heading, or the name that a row is about
     * @param url its place, from the root of the site
     * @param text the words
     */
    record Section(String page, String heading, String url, String text) {}

    private final List<Section> sections = new ArrayList<>();

    void add(Page page) {
        StringBuilder text = new StringBuilder();
        List<Section> rows = new ArrayList<>();
        int next = 0;
        for (Node block = page.node().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof org.commonmark.node.Heading) {
                close(page, next - 1, text, rows);
                next++;
            } else if (block instanceof TableBlock && next > 0) {
                table(page, page.headings().get(next - 1), block, text, rows);
            } else {
                text.append(Markdown.words(block)).append('\n');
            }
        }
        close(page, next - 1, text, rows);
    }

    /** Return a script rather than JSON, because a page that was opened as a file may load nothing else. */
    String script() {
        return "globalThis.searchIndex = " + JsonMapper.shared().writeValueAsString(sections) + ";\n";
    }

    private static void table(Page page, Heading under, Node table, StringBuilder text, List<Section> rows) {
        String where = under.level() == 1 ? page.title() : page.title() + " · " + under.text();
        for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
            for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                if (part instanceof TableBody && row.getFirstChild().getFirstChild() instanceof Code name) {
                    String heading = name.getLiteral();
                    String words = Markdown.words(row)
                            .substring(Markdown.words(row.getFirstChild()).length());
                    rows.add(new Section(where, heading, address(page, under), words.strip()));
                } else {
                    text.append(Markdown.words(row)).append('\n');
                }
            }
        }
    }

    private void close(Page page, int number, StringBuilder text, List<Section> rows) {
        if (number >= 0) {
            Heading heading = page.headings().get(number);
            sections.add(new Section(
                    page.title(),
                    heading.text(),
                    address(page, heading),
                    text.toString().strip()));
            sections.addAll(rows);
        }
        rows.clear();
        text.setLength(0);
    }

    private static String address(Page page, Heading heading) {
        return page.target() + "#" + heading.id();
    }
}
