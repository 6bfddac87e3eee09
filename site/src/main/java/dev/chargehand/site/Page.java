package dev.chargehand.site;

import java.util.List;
import java.util.Optional;
import org.commonmark.node.Node;

/**
 * A Markdown file of the repository.
 *
 * @param source its path, from the root of the repository
 * @param node what was read
 * @param headings its headings, in order
 */
record Page(String source, Node node, List<Heading> headings) {

    Page {
        headings = List.copyOf(headings);
    }

    /** Return its path on the site. */
    String target() {
        return Places.target(source);
    }

    /** Return its first heading of level 1, or its path if there is none. */
    String title() {
        return title(headings).orElse(source);
    }

    boolean hasAnchor(String id) {
        return headings.stream().anyMatch(heading -> heading.id().equals(id));
    }

    static Optional<String> title(List<Heading> headings) {
        return headings.stream()
                .filter(heading -> heading.level() == 1)
                .map(Heading::text)
                .findFirst();
    }
}
