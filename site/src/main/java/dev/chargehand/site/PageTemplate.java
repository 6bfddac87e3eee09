package dev.chargehand.site;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/** Puts what a page says into the frame that all pages have. */
final class PageTemplate {

    private static final int DESCRIPTION = 160;

    private final Repository repository;
    private final Contents contents;
    private final String version;
    private final Template template;

    PageTemplate(Repository repository, Contents contents, String version) throws IOException {
        this.repository = repository;
        this.contents = contents;
        this.version = version;
        try (InputStream from = Objects.requireNonNull(PageTemplate.class.getResourceAsStream("page.html"))) {
            template = Mustache.compiler().compile(new String(from.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    String render(Page page) {
        List<Contents.Entry> entries = contents.all().stream()
                .filter(entry -> repository.pages().containsKey(entry.source()))
                .toList();
        int place = entries.stream().map(Contents.Entry::source).toList().indexOf(page.source());
        Map<String, Object> values = new HashMap<>();
        values.put("title", page.source().equals("README.md") ? page.title() : page.title() + " · Chargehand");
        values.put("description", description(page));
        values.put("root", root(page));
        values.put("version", version);
        values.put("source", page.source());
        values.put("content", new PageHtml(page, repository).render());
        values.put("headings", headings(page));
        values.put("hasHeadings", !headings(page).isEmpty());
        values.put(
                "sections",
                contents.sections().stream()
                        .map(section -> section(section, page))
                        .toList());
        if (place > 0) {
            values.put("previous", link(entries.get(place - 1), page));
        }
        if (place + 1 < entries.size()) {
            values.put("next", link(entries.get(place + 1), page));
        }
        return template.execute(values);
    }

    private static String root(Page page) {
        return "../"
                .repeat((int) page.target().chars().filter(each -> each == '/').count());
    }

    /** Return the start of the page, for listings. */
    private static String description(Page page) {
        for (Node block = page.node().getFirstChild(); block != null; block = block.getNext()) {
            if (block instanceof Paragraph) {
                String words = Markdown.words(block);
                int cut = words.lastIndexOf(' ', DESCRIPTION);
                return words.length() <= DESCRIPTION || cut < 0 ? words : words.substring(0, cut) + " …";
            }
        }
        return page.title();
    }

    private static List<Map<String, Object>> headings(Page page) {
        return page.headings().stream()
                .filter(heading -> heading.level() == 2 || heading.level() == 3)
                .map(heading -> Map.<String, Object>of(
                        "id", heading.id(), "text", heading.text(), "level", "level" + heading.level()))
                .toList();
    }

    private Map<String, Object> section(Contents.Section section, Page page) {
        return Map.of(
                "title",
                section.title(),
                "entries",
                section.entries().stream().map(entry -> entry(entry, page)).toList());
    }

    /** An index shows its pages while one of them is read. */
    private Map<String, Object> entry(Contents.Entry entry, Page page) {
        Map<String, Object> values = new HashMap<>(link(entry, page));
        boolean open = entry.all().anyMatch(each -> each.source().equals(page.source()));
        values.put("current", entry.source().equals(page.source()));
        values.put(
                "below",
                open ? entry.below().stream().map(each -> entry(each, page)).toList() : List.of());
        values.put("open", open && !entry.below().isEmpty());
        return values;
    }

    private static Map<String, Object> link(Contents.Entry entry, Page page) {
        return Map.of("title", entry.title(), "url", Places.between(page.target(), entry.target()));
    }
}
