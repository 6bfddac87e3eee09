package dev.chargehand.cli.config;

import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping of the file. Every reading method knows the line to blame. */
final class Section {

    private final String file;
    private final String name;
    private final Map<String, Entry> entries;

    /** A value, and the line of its key. */
    private record Entry(Position at, Node value) {}

    private Section(String file, String name, Map<String, Entry> entries) {
        this.file = file;
        this.name = name;
        this.entries = entries;
    }

    /** Reads a mapping with any keys; {@code name} says in errors what it is, such as {@code agent 'writer'}. */
    static Section of(String file, String name, Node node) {
        if (!(node instanceof MappingNode mapping)) {
            throw at(file, node).error(name + " must have keys and values below it, but is " + kind(node) + ".");
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Position at = at(file, tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw at.error("a key of " + name + " must be a word, but is " + kind(tuple.getKeyNode()) + ".");
            }
            Entry before = entries.putIfAbsent(key.getValue(), new Entry(at, tuple.getValueNode()));
            if (before != null) {
                throw at.error("'" + key.getValue() + "' is given twice in " + name + ", first at " + before.at()
                        + ". Leave one of them out.");
            }
        }
        return new Section(file, name, entries);
    }

    /** Refuses keys that mean nothing here. */
    Section allowing(Collection<String> keys) {
        entries.forEach((key, entry) -> {
            if (!keys.contains(key)) {
                throw entry.at()
                        .error("unknown key '" + key + "' in " + name + "." + Names.allowed("Allowed", key, keys));
            }
        });
        return this;
    }

    /** Returns the keys in the file's order. */
    Collection<String> keys() {
        return entries.keySet();
    }

    /** Returns where a key that is there stands. */
    Position at(String key) {
        return entry(key).at();
    }

    /** Returns the mapping below a key that is there. */
    Section section(String key, String itsName) {
        return of(file, itsName, entry(key).value());
    }

    private Entry entry(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw new IllegalStateException("There is no key '" + key + "' in " + name + ".");
        }
        return entry;
    }

    @Nullable
    Setting text(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (!(entry.value() instanceof ScalarNode scalar)
                || scalar.getTag().equals(Tag.NULL)
                || scalar.getValue().isBlank()) {
            throw mismatch(key, entry, "a text");
        }
        return new Setting(scalar.getValue(), entry.at());
    }

    String textOr(String key, String otherwise) {
        Setting setting = text(key);
        return setting == null ? otherwise : setting.text().strip();
    }

    List<Setting> texts(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return List.of();
        }
        if (!(entry.value() instanceof SequenceNode sequence)) {
            throw mismatch(key, entry, "a list such as [one, two]");
        }
        List<Setting> texts = new ArrayList<>();
        for (Node node : sequence.getValue()) {
            Position at = at(file, node);
            if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
                throw at.error("'" + key + "' of " + name + " must list names, but has " + kind(node) + ".");
            }
            if (texts.stream().anyMatch(there -> there.text().equals(scalar.getValue()))) {
                throw at.error("'" + scalar.getValue() + "' stands twice in '" + key + "' of " + name
                        + ". Leave one of them out.");
            }
            texts.add(new Setting(scalar.getValue(), at));
        }
        return texts;
    }

    @Nullable
    Integer number(String key, int least) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        String allowed = "'" + key + "' of " + name + " must be a whole number from " + least + ", but is '"
                + setting.text() + "'.";
        try {
            int value = Integer.parseInt(setting.text());
            if (value < least) {
                throw setting.at().error(allowed);
            }
            return value;
        } catch (NumberFormatException e) {
            throw setting.at().error(allowed);
        }
    }

    private ConfigurationException mismatch(String key, Entry entry, String wanted) {
        return entry.at()
                .error("'" + key + "' of " + name + " must be " + wanted + ", but is " + kind(entry.value()) + ".");
    }

    static Position at(String file, Node node) {
        return Position.line(
                file, node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1));
    }

    private static String kind(Node node) {
        return switch (node) {
            case MappingNode ignored -> "keys and values";
            case SequenceNode ignored -> "a list";
            case ScalarNode scalar ->
                scalar.getValue().isBlank() || scalar.getTag().equals(Tag.NULL)
                        ? "empty"
                        : "'" + scalar.getValue().strip() + "'";
            default -> "something else";
        };
    }
}
