package dev.chargehand.tests.gate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Chooses few of all combinations, with which still any few values come together that can. */
final class Covering {

    private static final int FACTORS = 9;

    private final int strength;
    private final int mostValues;
    private final List<int[]> factors = new ArrayList<>();
    private final BitSet covered = new BitSet();

    private Covering(int strength, int mostValues) {
        this.strength = strength;
        this.mostValues = mostValues;
        choose(new int[strength], 0, 0);
    }

    /** Return how many values a factor has at the most. */
    static int mostValues(List<Combination> all) {
        return all.stream().flatMapToInt(c -> Arrays.stream(c.values())).max().orElseThrow() + 1;
    }

    /**
     * Return combinations in which any values of so many factors come together that come together in one of all. The
     * choice is another one for each seed.
     */
    static List<Combination> of(List<Combination> all, int strength, long seed) {
        Covering covering = new Covering(strength, mostValues(all));
        List<Combination> left = new ArrayList<>(all);
        Collections.shuffle(left, new Random(seed));
        List<Combination> chosen = new ArrayList<>();
        // those that add much come first, so that few are needed
        for (int least = covering.factors.size(); least > 0; least = least * 2 / 3) {
            int needed = least;
            left.removeIf(c -> covering.adds(c, needed) && chosen.add(c));
        }
        return chosen;
    }

    private void choose(int[] some, int count, int from) {
        if (count == strength) {
            factors.add(some.clone());
            return;
        }
        for (int factor = from; factor < FACTORS; factor++) {
            some[count] = factor;
            choose(some, count + 1, factor + 1);
        }
    }

    /** Cover what a combination covers if enough of that is new. */
    private boolean adds(Combination c, int least) {
        int[] values = c.values();
        int[] places = new int[factors.size()];
        int added = 0;
        for (int i = 0; i < places.length; i++) {
            int place = i;
            for (int factor : factors.get(i)) {
                place = place * mostValues + values[factor];
            }
            places[i] = place;
            added += covered.get(place) ? 0 : 1;
        }
        if (added < least) {
            return false;
        }
        for (int place : places) {
            covered.set(place);
        }
        return true;
    }
}
