package dev.chargehand.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Suggests the right name for a wrong one. */
public final class NameSuggestions {

    /** A longer text is not a mistyped name, and takes long to compare. */
    private static final int LONGEST = 100;

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

    /** Return the name that was probably meant: few letters away, or one that starts with what was written. */
    public static Optional<String> nearest(String wrong, Collection<String> names) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        String written = wrong.toLowerCase(Locale.ROOT);
        int most = Math.max(1, written.length() / 3);
        Optional<String> close = names.stream()
                .filter(name -> distance(written, name.toLowerCase(Locale.ROOT)) <= most)
                .min(Comparator.comparingInt(name -> distance(written, name.toLowerCase(Locale.ROOT))));
        return close.or(() -> names.stream()
                .filter(name ->
                        written.length() > 2 && name.toLowerCase(Locale.ROOT).startsWith(written))
                .findFirst());
    }

    /** How many letters must be put in, left out, replaced, or swapped with their neighbour. */
    private static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = from.charAt(i - 1) == to.charAt(j - 1);
                int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
                least = Math.min(least, cost[i - 1][j - 1] + (same ? 0 : 1));
                boolean swapped = i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
            }
        }
        return cost[from.length()][to.length()];
    }
}
