package dev.chargehand.config.internal.key;

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
        return description.replace("|", "\\|").replace("<", "&lt;")
                + (key.byDefault() == null ? "" : " Default: `" + key.byDefault() + "`.");
    }

    private static String ofSection(String name) {
        return KeyTable.sections().stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no section '" + name + "'."))
                .description();
    }
}
