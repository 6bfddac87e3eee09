package dev.chargehand.site;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Link;

/**
 * What the site has, in the order in which it is read: the headings and links of one Markdown file.
 *
 * @param sections the parts
 */
record Contents(List<Section> sections) {

    /** The prefix of links to files that the build generates. */
    static final String MADE = "site/target/site/";

    /**
     * A part of the contents.
     *
     * @param title its heading
     * @param entries the entries below
     */
    record Section(String title, List<Entry> entries) {}

    /**
     * A line of the contents.
     *
     * @param title its words
     * @param source the file of the repository, or {@link #MADE} and a path of the site
     * @param below what an index leads to
     */
    record Entry(String title, String source, List<Entry> below) {

        String target() {
            return source.startsWith(MADE) ? source.substring(MADE.length()) : Places.target(source);
        }

        Stream<Entry> all() {
            return Stream.concat(Stream.of(this), below.stream());
        }
    }

    static Contents of(Page contents, Repository repository) {
        List<Section> sections = new ArrayList<>();
        contents.node().accept(new AbstractVisitor() {
            @Override
            public void visit(org.commonmark.node.Heading heading) {
                if (heading.getLevel() == 2) {
                    sections.add(new Section(Markdown.words(heading), new ArrayList<>()));
                }
            }

            @Override
            public void visit(Link link) {
                if (sections.isEmpty()) {
                    return;
                }
                String source = repository.find(Places.resolve(contents.source(), link.getDestination()));
                sections.getLast().entries().add(new Entry(Markdown.words(link), source, below(source, repository)));
            }
        });
        return new Contents(sections);
    }

    /** Return all entries, in order. */
    List<Entry> all() {
        return sections.stream()
                .flatMap(section -> section.entries().stream())
                .flatMap(Entry::all)
                .toList();
    }

    /**
     * An index, {@code README.md} of a folder, contains the pages that it links to in its own folder, under each page's
     * title.
     */
    private static List<Entry> below(String source, Repository repository) {
        Page index = repository.pages().get(source);
        if (index == null || !Places.isIndex(source) || Places.folder(source).isEmpty()) {
            return List.of();
        }
        Set<String> sources = new LinkedHashSet<>();
        index.node().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String linked = Places.resolve(source, link.getDestination());
                if (Places.folder(linked).equals(Places.folder(source)) && !linked.equals(source)) {
                    sources.add(linked);
                }
            }
        });
        return sources.stream()
                .map(repository.pages()::get)
                .filter(Objects::nonNull)
                .map(page -> new Entry(page.title(), page.source(), List.of()))
                .toList();
    }
}
