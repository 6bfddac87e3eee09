package dev.chargehand.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what was probably meant by a name with a slip of the keyboard. */
public final class NearNames {

    /** How many of three characters must be right, so that short names are not taken for others. */
    private static final int CHARACTERS_FOR_ONE_SLIP = 3;

    private NearNames() {}

    /** Return the name that is the nearest, if one is so near that it was probably meant. */
    public static Optional<String> of(String written, Collection<String> names) {
        int most = written.length() / CHARACTERS_FOR_ONE_SLIP;
        return names.stream()
                .filter(name -> Math.abs(name.length() - written.length()) <= most)
                .filter(name -> distance(written, name) <= most)
                .min(Comparator.comparingInt(name -> distance(written, name)));
    }

    /** Return how many characters must be added, removed or replaced to make one text the other. */
    private static int distance(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            before[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] here = new int[to.length() + 1];
            here[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = before[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, 1 + Math.min(before[column], here[column - 1]));
            }
            before = here;
        }
        return before[to.length()];
    }
}
