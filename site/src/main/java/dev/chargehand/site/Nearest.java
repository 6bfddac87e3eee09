package dev.chargehand.site;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the intended word: the candidate with the fewest changed letters. */
final class Nearest {

    private Nearest() {}

    /** Return the nearest of some words, unless more than half of the letters would have to change. */
    static Optional<String> of(String wrong, Collection<String> right) {
        return right.stream()
                .filter(word -> distance(wrong, word) <= Math.max(wrong.length(), word.length()) / 2)
                .min(Comparator.<String>comparingInt(word -> distance(wrong, word))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Return the sentence that suggests the nearest, or nothing if none is near. */
    static String hint(String wrong, Collection<String> right) {
        return of(wrong, right).map(word -> " Did you mean '" + word + "'?").orElse("");
    }

    /** Levenshtein's distance, row by row. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= one.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int same = diagonal + (one.charAt(line - 1) == other.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(same, Math.min(row[column], row[column - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
