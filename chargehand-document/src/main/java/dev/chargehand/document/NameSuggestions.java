package dev.chargehand.document;

import dev.chargehand.internal.text.NearNames;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests the right name for a wrong one. */
public final class NameSuggestions {

    private static final int MANY = 20;

    /** Other words for a switch. */
    private static final Map<String, String> SWITCHES =
            Map.of("yes", "true", "on", "true", "y", "true", "no", "false", "off", "false", "n", "false");

    private NameSuggestions() {}

    /** Return two sentences to append to an error: what was allowed, and the name that was probably meant. */
    public static String allowed(String introduction, String wrong, Collection<String> names) {
        String known = names.isEmpty() ? "none" : String.join(", ", names);
        return " " + introduction + ": " + known + "." + meant(wrong, names);
    }

    /** Return the first of many names. */
    public static String few(String introduction, String wrong, Collection<String> names) {
        if (names.size() <= MANY) {
            return allowed(introduction, wrong, names);
        }
        String first = names.stream().limit(MANY).collect(Collectors.joining(", "));
        return " " + introduction + ": " + first + " and " + (names.size() - MANY) + " more." + meant(wrong, names);
    }

    /** Return a sentence to append to an error: the name that was probably meant; empty if there is none. */
    public static String meant(String wrong, Collection<String> names) {
        return nearest(wrong, names)
                .map(name -> " Did you mean '" + name + "'?")
                .orElse("");
    }

    /** Return the same for one of some words, which may be a switch: {@code true} is suggested for {@code yes}. */
    static String chosen(String wrong, Collection<String> words) {
        String meant = SWITCHES.get(wrong);
        return meant(meant != null && words.contains(meant) ? meant : wrong, words);
    }

    /** Return the name that was probably meant, if one is near. */
    public static Optional<String> nearest(String wrong, Collection<String> names) {
        return NearNames.nearest(wrong, names);
    }
}
