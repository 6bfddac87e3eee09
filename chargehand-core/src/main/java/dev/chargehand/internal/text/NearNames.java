package dev.chargehand.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a wrong one. */
public final class NearNames {

    /** A longer text is not a mistyped name, and takes long to compare. */
    private static final int LONGEST = 100;

    private NearNames() {}

    /** Return the name that was probably meant: few letters away, or one that starts with what was written. */
    public static Optional<String> nearest(String wrong, Collection<String> names) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        String written = wrong.toLowerCase(Locale.ROOT);
        int most = Math.min(Math.max(1, written.length() / 3), written.length() - 1); // at least one letter is right
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
