package dev.chargehand.cli.config;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A mapping of the file. Every reading method knows the line to blame. */
final class Section {

    /** How long something may take: a whole number and its unit. */
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

    private final String file;
    private final String name;
    private final Position at;
    private final Map<String, Entry> entries;

    /** A value, and the line of its key. */
    private record Entry(Position at, Node value) {}

    private Section(String file, String name, Position at, Map<String, Entry> entries) {
        this.file = file;
        this.name = name;
        this.at = at;
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
        return new Section(file, name, at(file, node), entries);
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

    /** Returns where it begins. */
    Position at() {
        return at;
    }

    /** Returns where a key that is there stands. */
    Position at(String key) {
        return entry(key).at();
    }

    /** Returns the mapping below a key that is there. */
    Section section(String key, String itsName) {
        return of(file, itsName, entry(key).value());
    }

    /** Tells whether there is a key with a mapping below it. */
    boolean isSection(String key) {
        Entry entry = entries.get(key);
        return entry != null && entry.value() instanceof MappingNode;
    }

    /** Returns the items of a list; a word by itself is an item with that key and nothing below it. */
    List<Section> items(String key, String itsName) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return List.of();
        }
        if (!(entry.value() instanceof SequenceNode sequence)) {
            throw mismatch(key, entry, "a list, each item behind a '-'");
        }
        return sequence.getValue().stream().map(node -> item(node, itsName)).toList();
    }

    private Section item(Node node, String itsName) {
        if (node instanceof ScalarNode word && !word.getValue().isBlank()) {
            Position where = at(file, node);
            ScalarNode nothing = new ScalarNode(Tag.NULL, "", ScalarStyle.PLAIN);
            return new Section(file, itsName, where, Map.of(word.getValue(), new Entry(where, nothing)));
        }
        return of(file, itsName, node);
    }

    /** Returns the texts below the keys of a mapping that may be missing. */
    Map<String, String> words(String key, String itsName) {
        Map<String, String> words = new LinkedHashMap<>();
        if (entries.containsKey(key)) {
            Section section = section(key, itsName);
            section.keys()
                    .forEach(word -> words.put(word, section.textOf(word).text().strip()));
        }
        return words;
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
            Setting item = nameOf(key, node);
            if (texts.stream().anyMatch(there -> there.text().equals(item.text()))) {
                throw twice(key, item);
            }
            texts.add(item);
        }
        return texts;
    }

    /** Returns the names of a list that may be missing, each with the settings below it, if there are any. */
    Map<Setting, Optional<Section>> named(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return Map.of();
        }
        if (!(entry.value() instanceof SequenceNode sequence)) {
            throw mismatch(key, entry, "a list such as [one, two]");
        }
        Map<Setting, Optional<Section>> named = new LinkedHashMap<>();
        for (Node node : sequence.getValue()) {
            Setting item = node instanceof MappingNode mapping ? onlyKey(key, mapping) : nameOf(key, node);
            if (named.keySet().stream().anyMatch(there -> there.text().equals(item.text()))) {
                throw twice(key, item);
            }
            named.put(
                    item,
                    node instanceof MappingNode
                            ? Optional.of(of(file, "'" + item.text() + "' in '" + key + "' of " + name, node)
                                    .section(item.text(), "'" + item.text() + "' in '" + key + "' of " + name))
                            : Optional.empty());
        }
        return named;
    }

    private Setting onlyKey(String key, MappingNode node) {
        Section item = of(file, "an item of '" + key + "' of " + name, node);
        if (item.keys().size() != 1) {
            throw item.at()
                    .error("an item of '" + key + "' of " + name + " must be a name, with its settings below it, but"
                            + " has the keys " + String.join(", ", item.keys()) + ".");
        }
        String only = item.keys().iterator().next();
        return new Setting(only, item.at(only));
    }

    private Setting nameOf(String key, Node node) {
        Position at = at(file, node);
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            throw at.error("'" + key + "' of " + name + " must list names, but has " + kind(node) + ".");
        }
        return new Setting(scalar.getValue(), at);
    }

    private ConfigurationException twice(String key, Setting item) {
        return item.at()
                .error("'" + item.text() + "' stands twice in '" + key + "' of " + name + ". Leave one of them out.");
    }

    /** Returns the text below a key that is there. */
    Setting textOf(String key) {
        Setting setting = text(key);
        return setting == null ? textMissing(key) : setting;
    }

    private Setting textMissing(String key) {
        throw new IllegalStateException("There is no key '" + key + "' in " + name + ".");
    }

    /** Returns the text below a key that is there, or the texts of a list. */
    List<Setting> oneOrMore(String key) {
        return entry(key).value() instanceof SequenceNode ? texts(key) : List.of(textOf(key));
    }

    /** Refuses a value below a key that says everything. */
    void nothing(String key) {
        if (!(entry(key).value() instanceof ScalarNode scalar)
                || !scalar.getValue().isBlank()) {
            throw mismatch(key, entry(key), "without a value");
        }
    }

    /** Returns the value below a key that is there, whatever it is. */
    Json json(String key) {
        if (!isSection(key)) {
            throw mismatch(key, entry(key), "a JSON schema, written as keys and values");
        }
        LoadSettings settings = LoadSettings.builder().setLabel(file).build();
        try {
            return Json.of(new StandardConstructor(settings)
                    .constructSingleDocument(Optional.of(entry(key).value())));
        } catch (YamlEngineException | ChargehandException e) {
            throw entry(key).at().error("'" + key + "' of " + name + " cannot be written as JSON: " + e.getMessage());
        }
    }

    @Nullable
    Integer number(String key, int least) {
        return text(key) == null ? null : Integer.valueOf(numberOf(key, least));
    }

    /** Returns the number below a key that is there. */
    int numberOf(String key, int least) {
        Setting setting = textOf(key);
        try {
            int value = Integer.parseInt(setting.text());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(key, setting, "a whole number from " + least);
        }
        throw wrong(key, setting, "a whole number from " + least);
    }

    /** Returns a share, above 0 and at most 1. */
    @Nullable
    Double share(String key) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        try {
            double value = Double.parseDouble(setting.text());
            if (value > 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw wrong(key, setting, "a number above 0 and at most 1");
        }
        throw wrong(key, setting, "a number above 0 and at most 1");
    }

    @Nullable
    Boolean flag(String key) {
        return choice(key, Map.of("true", true, "false", false));
    }

    /** Returns how long something may take, such as 30s; units are ms, s, m and h. */
    @Nullable
    Duration duration(String key) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        Matcher duration = DURATION.matcher(setting.text());
        if (!duration.matches() || Integer.parseInt(duration.group(1)) == 0) {
            throw wrong(key, setting, "a time above zero such as 500ms, 30s, 2m or 1h");
        }
        int count = Integer.parseInt(duration.group(1));
        return switch (duration.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    /** Returns what one of some words stands for. */
    <T> @Nullable T choice(String key, Map<String, T> choices) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        T chosen = choices.get(setting.text());
        if (chosen == null) {
            List<String> words = choices.keySet().stream().sorted().toList();
            throw setting.at()
                    .error("'" + key + "' of " + name + " must be one of " + String.join(", ", words) + ", but is '"
                            + setting.text() + "'." + Names.meant(setting.text(), words));
        }
        return chosen;
    }

    private ConfigurationException wrong(String key, Setting setting, String wanted) {
        return setting.at()
                .error("'" + key + "' of " + name + " must be " + wanted + ", but is '" + setting.text() + "'.");
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
