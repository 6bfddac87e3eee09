package dev.chargehand.bench.disk;

import java.util.Arrays;

/** The median of measured values. */
public final class Median {

    private Median() {}

    /** Return the middle one of the values; of an even number, the upper one of both. */
    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
