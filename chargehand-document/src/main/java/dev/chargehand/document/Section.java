package dev.chargehand.document;

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
 * <p>A wrong value is added to the {@link Mistakes}, and reading continues as if it were missing; so a value that was
 * read may stand for one that could not be.
 */
public final class Section {

    private static final Map<String, Boolean> FLAGS = Map.of("true", true, "false", false);

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

    /** Read a mapping with any keys; {@code name} says in errors what it is, such as {@code agent 'writer'}. */
    public static Section of(Mistakes mistakes, String name, Node node) {
        return of(mistakes, name, mistakes.at(node), node);
    }

    private static Section of(Mistakes mistakes, String name, Position blamed, Node node) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            mistakes.add(
                    blamed,
                    name + " must have keys and values under it, but is " + NodeWords.kind(node) + "."
                            + NodeWords.advice(node));
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

    /** Note unknown keys. */
    public Section allowing(Collection<String> keys) {
        return allowing(keys, Map.of());
    }

    /** Note unknown keys; for some that belong elsewhere, {@code elsewhere} has a sentence that says where. */
    public Section allowing(Collection<String> keys, Map<String, String> elsewhere) {
        entries.forEach((key, entry) -> {
            if (!isMerge(key, entry) && !keys.contains(key)) {
                unknown(key, entry, elsewhere.getOrDefault(key, NameSuggestions.allowed("Allowed", key, keys)));
            }
        });
        return this;
    }

    /** Note unknown keys that resemble a known one. */
    public Section misspelt(Collection<String> keys) {
        List<String> words = keys.stream().filter(key -> !key.startsWith("$")).toList();
        entries.forEach((key, entry) -> {
            if (!isMerge(key, entry) && !keys.contains(key) && !key.startsWith("x-") && key.length() > 3) {
                String meant = NameSuggestions.meant(key, words);
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

    private void unknown(String key, Entry entry, String advice) {
        mistakes.add(entry.at(), NodeWords.unknownKey(key, name, advice));
    }

    /** Return the keys in the file's order. */
    public Collection<String> keys() {
        return entries.keySet();
    }

    public boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Return the value below a key; null if it is missing. */
    public @Nullable Node node(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.value();
    }

    /** Return the values of a list that may be missing. */
    public List<Node> nodes(String key) {
        return list(key, "a list, each item behind a '-'");
    }

    public Mistakes mistakes() {
        return mistakes;
    }

    /** Return the place of its start. */
    public Position at() {
        return at;
    }

    /** Return the place of a key, or of the section if the key is missing. */
    public Position at(String key) {
        Entry entry = entries.get(key);
        return entry == null ? at : entry.at();
    }

    /** Return the place of a value, or of its key if it is empty or missing. */
    public Position valueAt(String key) {
        Entry entry = entries.get(key);
        return entry == null || isEmpty(key) ? at(key) : mistakes.at(entry.value());
    }

    /** Return the mapping below a key; an empty one if it is missing. */
    public Section section(String key, String itsName) {
        Entry entry = entries.get(key);
        return entry == null
                ? new Section(mistakes, itsName, at, Map.of())
                : of(mistakes, itsName, entry.at(), entry.value());
    }

    /** Return whether there is a key with a mapping as its value. */
    public boolean isSection(String key) {
        return node(key) instanceof MappingNode;
    }

    /** Return whether there is a key with a list as its value. */
    public boolean isList(String key) {
        return node(key) instanceof SequenceNode;
    }

    /** Return the items of a list; a single word is an item with that key and no value. */
    public List<Section> items(String key, String itsName) {
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

    /** Return the texts below the keys of a mapping that may be missing. */
    public Map<String, Setting> words(String key, String itsName) {
        Map<String, Setting> words = new LinkedHashMap<>();
        if (has(key)) {
            Section section = section(key, itsName);
            section.keys().forEach(word -> words.put(word, section.textOf(word)));
        }
        return words;
    }

    public @Nullable Setting text(String key) {
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

    public String textOr(String key, String otherwise) {
        Setting setting = text(key);
        return setting == null ? otherwise : setting.text().strip();
    }

    /** Return the text below a key that may be missing or have nothing in it. */
    public String words(String key) {
        return isEmpty(key) ? "" : textOr(key, "");
    }

    /** Return the text of an existing key; an empty one if its value is not a text. */
    public Setting textOf(String key) {
        Setting setting = text(key);
        return setting == null ? new Setting("", at(key)) : setting;
    }

    public List<Setting> texts(String key) {
        List<Setting> texts = new ArrayList<>();
        ListedNames names = names(key);
        for (Node node : list(key, NodeWords.names(node(key)))) {
            names.nameOf(node).filter(item -> names.isNew(item, texts)).ifPresent(texts::add);
        }
        return texts;
    }

    /** Return the texts of a list, in which any of them may stand again. */
    public List<Setting> list(String key) {
        List<Setting> texts = new ArrayList<>();
        list(key, NodeWords.names(node(key)))
                .forEach(node -> names(key).nameOf(node).ifPresent(texts::add));
        return texts;
    }

    /** Return the text below a key, or the texts of a list; none if it is missing. */
    public List<Setting> oneOrMore(String key) {
        if (isList(key)) {
            return texts(key);
        }
        Setting one = text(key);
        return one == null ? List.of() : List.of(one);
    }

    /** Return the names of a list that may be missing, each with its settings, if there are any. */
    public Map<Setting, Optional<Section>> named(String key) {
        Map<Setting, Optional<Section>> named = new LinkedHashMap<>();
        ListedNames names = names(key);
        for (Node node : list(key, NodeWords.names(node(key)))) {
            if (node instanceof MappingNode) {
                Section item = of(mistakes, "an item of '" + key + "' of " + name, node);
                item.onlyKey()
                        .filter(only -> names.isNew(only, named.keySet()))
                        .ifPresent(only -> named.put(
                                only,
                                Optional.of(item.section(
                                        only.text(), "'" + shown(only.text()) + "' in '" + key + "' of " + name))));
            } else {
                names.nameOf(node)
                        .filter(item -> names.isNew(item, named.keySet()))
                        .ifPresent(item -> named.put(item, Optional.empty()));
            }
        }
        return named;
    }

    private Optional<Setting> onlyKey() {
        if (entries.size() != 1) {
            mistakes.add(
                    at,
                    name + " must be a name, with its settings under it, but has the keys "
                            + shown(String.join(", ", keys())) + ".");
            return Optional.empty();
        }
        String only = keys().iterator().next();
        return Optional.of(new Setting(only, at(only)));
    }

    private ListedNames names(String key) {
        return new ListedNames(mistakes, "'" + key + "' of " + name);
    }

    /** Return whether there is a key without a value. */
    public boolean isEmpty(String key) {
        return node(key) instanceof ScalarNode scalar && scalar.getValue().isBlank();
    }

    /** Note a value of a key that allows none. */
    public void nothing(String key) {
        Entry entry = entries.get(key);
        if (entry != null && !isEmpty(key)) {
            mismatch(key, entry, "without a value");
        }
    }

    /** Return the JSON schema below a key. */
    public Optional<JsonSchema> schema(String key) {
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

    /** Return the value of a key as JSON. */
    public Optional<Json> json(String key) {
        Entry entry = entries.get(key);
        return entry == null ? Optional.empty() : json(key, entry).json(entry.value());
    }

    private NodeJson json(String key, Entry entry) {
        return new NodeJson(mistakes, entry.at(), "'" + key + "' of " + name);
    }

    /** Return a value of a kind; null if it is missing, or is of another kind. */
    public <T> @Nullable T value(String key, ValueKind<T> kind) {
        Entry entry = entries.get(key);
        if (entry != null && isEmpty(key)) {
            mismatch(key, entry, kind.wanted());
            return null;
        }
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        T value = kind.parser().apply(setting.text()).orElse(null);
        if (value == null) {
            mistakes.add(
                    setting.at(),
                    "'" + key + "' of " + name + " must be " + kind.wantedFor(setting.text()) + ", but is '"
                            + shown(setting.text()) + "'.");
        }
        return value;
    }

    public @Nullable Boolean flag(String key) {
        return choice(key, FLAGS);
    }

    /** Return what one of some words stands for; null if the key is missing, or has another word. */
    public <T> @Nullable T choice(String key, Map<String, T> choices) {
        Setting setting = text(key);
        if (setting == null) {
            return null;
        }
        T chosen = choices.get(setting.text());
        if (chosen == null) {
            List<String> words = choices.keySet().stream().sorted().toList();
            mistakes.add(
                    setting.at(),
                    "'" + key + "' of " + name + " must be one of " + String.join(", ", words) + ", but is '"
                            + shown(setting.text()) + "'." + NameSuggestions.chosen(setting.text(), words));
        }
        return chosen;
    }

    private void mismatch(String key, Entry entry, String wanted) {
        String subject = "'" + shown(key) + "' of " + name;
        mistakes.add(valueAt(key), subject + " must be " + wanted + NodeWords.instead(entry.value()));
    }

    /** Return a text of the file, short enough for an error. */
    public static String shown(String text) {
        String stripped = text.strip();
        return stripped.codePointCount(0, stripped.length()) <= 80
                ? stripped
                : stripped.substring(0, stripped.offsetByCodePoints(0, 80)) + "…";
    }
}
