package dev.chargehand.document;

import java.util.Collection;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Checks the names in a list.
 *
 * @param list what errors call the list, such as {@code 'tools' of agent 'writer'}
 */
record ListedNames(Mistakes mistakes, String list) {

    /** Return the name that an item is; note a mistake if it is not a name. */
    Optional<Setting> nameOf(Node item) {
        Position where = mistakes.at(item);
        if (!(item instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            mistakes.add(
                    where,
                    list + " must list names, but has "
                            + (item instanceof ScalarNode ? "an empty one" : NodeWords.kind(item)) + ".");
            return Optional.empty();
        }
        return Optional.of(new Setting(scalar.getValue(), where));
    }

    /** Return whether a name is not among those before it; note a mistake if it is. */
    boolean isNew(Setting name, Collection<Setting> before) {
        boolean isNew = before.stream().noneMatch(there -> there.text().equals(name.text()));
        if (!isNew) {
            mistakes.add(
                    name.at(),
                    "'" + Section.shown(name.text()) + "' stands twice in " + list + ". Leave one of them out.");
        }
        return isNew;
    }
}
