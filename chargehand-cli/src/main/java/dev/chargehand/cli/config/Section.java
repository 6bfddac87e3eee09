package dev.chargehand.cli.config;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A mapping of the file.
 *
 * <p>What is wrong is added to the {@link Mistakes}, and reading goes on as if it were not there; so a value that was
 * read may stand for one that could not be.
 */
final class Section {

    private static final Map<String, Boolean> FLAGS = Map.of("true", true, "false", false);
    private static final Map<String, String> MEANT =
            Map.of("yes", "true", "on", "true", "y", "true", "no", "false", "off", "false", "n", "false");

    private final Mistakes mistakes;
    private final String name;
    private final Position at;
    private final Map<String, Entry> entries;

    /** A value and the place of its key. */
    private record Entry(Position at, Node value) {}

    private Section(Mistakes mistakes, String name, Position at, Map<String, Entry> entries) {
        this.mistakes = mistakes;
        this.name = name;
        this.at = at;
        this.entries = entries;
    }

    /** Reads a mapping with any keys; {@code name} says in errors what it is, such as {@code agent 'writer'}. */
    static Section of(Mistakes mistakes, String name, Node node) {
        return of(mistakes, name, mistakes.at(node), node);
    }

    private static Section of(Mistakes mistakes, String name, Position blamed, Node node) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            mistakes.add(
                    blamed,
                    name + " must have keys and values below it, but is " + NodeWords.kind(node) + "."
                            + NodeWords.mend(node));
            return new Section(mistakes, name, blamed, entries);
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Position at = mistakes.at(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                mistakes.add(
                        at, "a key of " + name + " must be a word, but is " + NodeWords.kind(tuple.getKeyNode()) + ".");
                continue;
            }
            Entry before = entries.putIfAbsent(key.getValue(), new Entry(at, tuple.getValueNode()));
            if (before != null) {
                mistakes.add(
                        at,
                        "'" + shown(key.getValue()) + "' is given twice in " + name + ", first at " + before.at()
                                + ". Leave one of them out.");
            }
        }
        return new Section(mistakes, name, blamed, entries);
    }

    /** Notes keys that mean nothing here. */
    Section allowing(Collection<String> keys) {
        entries.forEach((key, entry) -> {
            if (!isMerge(key, entry) && !keys.contains(key)) {
                unknown(key, entry, Names.allowed("Allowed", key, keys));
            }
        });
        return this;
    }

    /** Notes keys that mean nothing here, if they look like one that does. */
    Section misspelt(Collection<String> keys) {
        List<String> words = keys.stream().filter(key -> !key.startsWith("$")).toList();
        entries.forEach((key, entry) -> {
            if (!isMerge(key, entry) && !keys.contains(key) && !key.startsWith("x-") && key.length() > 3) {
                String meant = Names.meant(key, words);
                if (!meant.isEmpty()) {
                    unknown(key, entry, meant);
                }
            }
        });
        return this;
    }

    private boolean isMerge(String key, Entry entry) {
        if (key.equals("<<")) {
            mistakes.add(entry.at(), "'<<' in " + name + " is not understood: nothing is merged. Write the keys out.");
        }
        return key.equals("<<");
    }

    private void unknown(String key, Entry entry, String mend) {
        mistakes.add(entry.at(), "unknown key '" + shown(key) + "' in " + name + "." + mend);
    }

    /** Returns the keys in the file's order. */
    Collection<String> keys() {
        return entries.keySet();
    }

    boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Returns the value below a key; null if it is not there. */
    @Nullable
    Node node(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.value();
    }

    /** Returns the values of a list that may be missing. */
    List<Node> nodes(String key) {
        return list(key, "a list, each item behind a '-'");
    }

    Mistakes mistakes() {
        return mistakes;
    }

    /** Returns where it begins. */
    Position at() {
        return at;
    }

    /** Returns where a key stands, or the section if the key is not there. */
    Position at(String key) {
        Entry entry = entries.get(key);
        return entry == null ? at : entry.at();
    }

    /** Returns the mapping below a key; an empty one if it is not there. */
    Section section(String key, String itsName) {
        Entry entry = entries.get(key);
        return entry == null
                ? new Section(mistakes, itsName, at, Map.of())
                : of(mistakes, itsName, entry.at(), entry.value());
    }

    /** Tells whether there is a key with a mapping below it. */
    boolean isSection(String key) {
        Entry entry = entries.get(key);
        return entry != null && entry.value() instanceof MappingNode;
    }

    /** Tells whether there is a key with a list behind it. */
    boolean isList(String key) {
        Entry entry = entries.get(key);
        return entry != null && entry.value() instanceof SequenceNode;
    }

    /** Returns the items of a list; a word by itself is an item with that key and nothing below it. */
    List<Section> items(String key, String itsName) {
        return list(key, "a list, each item behind a '-'").stream()
                .map(node -> item(node, itsName))
                .toList();
    }

    private Section item(Node node, String itsName) {
        if (node instanceof ScalarNode word && !word.getValue().isBlank()) {
            Position where = mistakes.at(node);
            ScalarNode nothing = new ScalarNode(Tag.NULL, "", ScalarStyle.PLAIN);
            return new Section(mistakes, itsName, where, Map.of(word.getValue(), new Entry(where, nothing)));
        }
        return of(mistakes, itsName, node);
    }

    private List<Node> list(String key, String wanted) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return List.of();
        }
        if (!(entry.value() instanceof SequenceNode sequence)) {
            mismatch(key, entry, wanted);
            return List.of();
        }
        return sequence.getValue();
    }

    /** Returns the texts below the keys of a mapping that may be missing. */
    Map<String, Setting> words(String key, String itsName) {
        Map<String, Setting> words = new LinkedHashMap<>();
        if (has(key)) {
            Section section = section(key, itsName);
            section.keys().forEach(word -> words.put(word, section.textOf(word)));
        }
        return words;
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
            mismatch(key, entry, "a text");
            return null;
        }
        return new Setting(scalar.getValue(), mistakes.at(scalar));
    }

    String textOr(String key, String otherwise) {
        Setting setting = text(key);
        return setting == null ? otherwise : setting.text().strip();
    }

    /** Returns the text below a key that may be missing or have nothing in it. */
    String words(String key) {
        return isEmpty(key) ? "" : textOr(key, "");
    }

    /** Returns the text below a key that is there; if that is no text, an empty one. */
    Setting textOf(String key) {
        Setting setting = text(key);
        return setting == null ? new Setting("", at(key)) : setting;
    }

    List<Setting> texts(String key) {
        List<Setting> texts = new ArrayList<>();
        for (Node node : list(key, NodeWords.names(node(key)))) {
            nameOf(key, node).filter(item -> isNew(key, item, texts)).ifPresent(texts::add);
        }
        return texts;
    }

    /** Returns the texts of a list, in which any of them may stand again. */
    List<Setting> list(String key) {
        List<Setting> texts = new ArrayList<>();
        list(key, NodeWords.names(node(key))).forEach(node -> nameOf(key, node).ifPresent(texts::add));
        return texts;
    }

    /** Returns the text below a key, or the texts of a list; none if it is not there. */
    List<Setting> oneOrMore(String key) {
        if (isList(key)) {
            return texts(key);
        }
        Setting one = text(key);
        return one == null ? List.of() : List.of(one);
    }

    /** Returns the names of a list that may be missing, each with the settings below it, if there are any. */
    Map<Setting, Optional<Section>> named(String key) {
        Map<Setting, Optional<Section>> named = new LinkedHashMap<>();
        for (Node node : list(key, NodeWords.names(node(key)))) {
            if (node instanceof MappingNode) {
                Section item = of(mistakes, "an item of '" + key + "' of " + name, node);
                item.onlyKey()
                        .filter(only -> isNew(key, only, named.keySet()))
                        .ifPresent(only -> named.put(
                                only,
                                Optional.of(item.section(
                                        only.text(), "'" + shown(only.text()) + "' in '" + key + "' of " + name))));
            } else {
                nameOf(key, node)
                        .filter(item -> isNew(key, item, named.keySet()))
                        .ifPresent(item -> named.put(item, Optional.empty()));
            }
        }
        return named;
    }

    private Optional<Setting> onlyKey() {
        if (entries.size() != 1) {
            mistakes.add(
                    at,
                    name + " must be a name, with its settings below it, but has the keys "
                            + shown(String.join(", ", keys())) + ".");
            return Optional.empty();
        }
        String only = keys().iterator().next();
        return Optional.of(new Setting(only, at(only)));
    }

    private Optional<Setting> nameOf(String key, Node node) {
        Position where = mistakes.at(node);
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            mistakes.add(where, "'" + key + "' of " + name + " must list names, but has " + NodeWords.kind(node) + ".");
            return Optional.empty();
        }
        return Optional.of(new Setting(scalar.getValue(), where));
    }

    private boolean isNew(String key, Setting item, Collection<Setting> before) {
        boolean isNew = before.stream().noneMatch(there -> there.text().equals(item.text()));
        if (!isNew) {
            mistakes.add(
                    item.at(),
                    "'" + shown(item.text()) + "' stands twice in '" + key + "' of " + name
                            + ". Leave one of them out.");
        }
        return isNew;
    }

    /** Tells whether there is a key without a value. */
    boolean isEmpty(String key) {
        Entry entry = entries.get(key);
        return entry != null
                && entry.value() instanceof ScalarNode scalar
                && scalar.getValue().isBlank();
    }

    /** Notes a value below a key that says everything. */
    void nothing(String key) {
        Entry entry = entries.get(key);
        if (entry != null
                && (!(entry.value() instanceof ScalarNode scalar)
                        || !scalar.getValue().isBlank())) {
            mismatch(key, entry, "without a value");
        }
    }

    /** Returns the JSON schema below a key. */
    Optional<JsonSchema> schema(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (!isSection(key)) {
            mismatch(key, entry, "a JSON schema, written as keys and values");
            return Optional.empty();
        }
        return json(key, entry).schema(entry.value());
    }

    /** Returns whatever is below a key as JSON. */
    Optional<Json> json(String key) {
        Entry entry = entries.get(key);
        return entry == null ? Optional.empty() : json(key, entry).json(entry.value());
    }

    private NodeJson json(String key, Entry entry) {
        return new NodeJson(mistakes, entry.at(), "'" + key + "' of " + name);
    }

    /** Returns a value of a kind; null if it is not there, or is of another kind. */
    <T> @Nullable T value(String key, Kind<T> kind) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        T value = kind.parser().apply(setting.text()).orElse(null);
        if (value == null) {
            mistakes.add(
                    setting.at(),
                    "'" + key + "' of " + name + " must be " + kind.wanted() + ", but is '" + shown(setting.text())
                            + "'.");
        }
        return value;
    }

    @Nullable
    Boolean flag(String key) {
        return choice(key, FLAGS);
    }

    /** Returns what one of some words stands for; null if the key is not there, or has another word. */
    <T> @Nullable T choice(String key, Map<String, T> choices) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        T chosen = choices.get(setting.text());
        if (chosen == null) {
            List<String> words = choices.keySet().stream().sorted().toList();
            String meant = MEANT.get(setting.text());
            mistakes.add(
                    setting.at(),
                    "'" + key + "' of " + name + " must be one of " + String.join(", ", words) + ", but is '"
                            + shown(setting.text()) + "'."
                            + Names.meant(meant != null && words.contains(meant) ? meant : setting.text(), words));
        }
        return chosen;
    }

    private void mismatch(String key, Entry entry, String wanted) {
        boolean empty =
                entry.value() instanceof ScalarNode scalar && scalar.getValue().isBlank();
        mistakes.add(
                empty ? entry.at() : mistakes.at(entry.value()),
                "'" + shown(key) + "' of " + name + " must be " + wanted + ", but is " + NodeWords.kind(entry.value())
                        + ".");
    }

    /** Returns a text of the file, short enough to stand in an error. */
    static String shown(String text) {
        String stripped = text.strip();
        return stripped.codePointCount(0, stripped.length()) <= 80
                ? stripped
                : stripped.substring(0, stripped.offsetByCodePoints(0, 80)) + "…";
    }
}
