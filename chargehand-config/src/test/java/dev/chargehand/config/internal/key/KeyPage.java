package dev.chargehand.config.internal.key;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables of the reference page: one for each section, below a comment with its name. */
public final class KeyPage {

    private KeyPage() {}

    /** Return the comment that precedes the table of a section. */
    public static String marker(KeySection section) {
        return "<!-- " + section.name() + " -->\n\n";
    }

    /** Return the table of a section in Markdown. */
    public static String table(KeySection section) {
        return section.keys().stream()
                .map(key -> "| `" + key.name() + "` | " + meaning(key) + " |\n")
                .collect(Collectors.joining("", "| key | meaning |\n|---|---|\n", ""));
    }

    private static String meaning(Key<?> key) {
        String description = key.description().isEmpty() ? ofSection(key.name()) : key.description();
        String words = words(key.shape().schema());
        return description.replace("|", "\\|").replace("<", "&lt;")
                + (words.isEmpty() ? "" : " Allowed: " + words + ".")
                + (key.byDefault() == null ? "" : " Default: `" + key.byDefault() + "`.");
    }

    /** Return the words that a value or an item of it may be; empty if it may be any text. */
    private static String words(Map<?, ?> schema) {
        if (schema.get("enum") instanceof List<?> words) {
            return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
        }
        if (schema.get("items") instanceof Map<?, ?> items && items.containsKey("enum")) {
            return words(items);
        }
        return schema.get("anyOf") instanceof List<?> ways
                ? ways.stream()
                        .map(way -> words((Map<?, ?>) way))
                        .filter(words -> !words.isEmpty())
                        .findFirst()
                        .orElse("")
                : "";
    }

    private static String ofSection(String name) {
        return KeyTable.sections().stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no section '" + name + "'."))
                .description();
    }
}
