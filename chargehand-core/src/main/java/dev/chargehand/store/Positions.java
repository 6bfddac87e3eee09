package dev.chargehand.store;

import java.util.Arrays;

/** The tree positions of the facts of one run, in order. */
final class Positions {

    private long[] values = new long[8];
    private int size;

    void add(long position) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = position;
    }

    long get(int index) {
        return values[index];
    }
}
