package dev.chargehand.site;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Node;
import tools.jackson.databind.json.JsonMapper;

/** What the search of the site looks in: the text below each heading. */
final class SearchIndex {

    /**
     * What one heading has below it, up to the next.
     *
     * @param page the title of its page
     * @param heading its own text
     * @param url its place, from the root of the site
     * @param text the words
     */
    record Section(String page, String heading, String url, String text) {}

    private final List<Section> sections = new ArrayList<>();

    void add(Page page) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (Node block = page.node().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof org.commonmark.node.Heading) {
                close(page, next - 1, text);
                next++;
            } else {
                text.append(Markdown.words(block)).append('\n');
            }
        }
        close(page, next - 1, text);
    }

    /** Returns a script rather than JSON, because a page that was opened as a file may load nothing else. */
    String script() {
        return "globalThis.searchIndex = " + JsonMapper.shared().writeValueAsString(sections) + ";\n";
    }

    private void close(Page page, int number, StringBuilder text) {
        if (number >= 0) {
            Heading heading = page.headings().get(number);
            sections.add(new Section(
                    page.title(),
                    heading.text(),
                    page.target() + "#" + heading.id(),
                    text.toString().strip()));
        }
        text.setLength(0);
    }
}
