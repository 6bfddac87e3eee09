package dev.chargehand.model;

/**
 * Counts of the features of one text, in a fixed number of places: a long text has more features, but needs no more memory.
 * Features of the same place are counted together, which is rare for a text of ordinary length.
 *
 * <p>Not thread-safe; one for each text.
 */
final class HashedFeatures {

    /** What a hash of FNV-1a with 64 bits starts with. */
    static final long START = 0xCBF29CE484222325L;

    private static final int PLACE_BITS = 13;

    private static final int PLACES = 1 << PLACE_BITS;

    /** A word has about as many groups as letters: so its groups together count about as much as the word. */
    private static final double WEIGHT_OF_GROUP = 0.4;

    private final int[] words = new int[PLACES];
    private final int[] groups = new int[PLACES];

    void addWord(long hash) {
        words[place(hash)]++;
    }

    void addGroup(long hash) {
        groups[place(hash)]++;
    }

    /** Return the sum of all features: each is one dimension, with a sign, so that those that meet there cancel on average. */
    float[] vector(int dimensions) {
        float[] vector = new float[dimensions];
        add(words, 1, vector, 0);
        add(groups, WEIGHT_OF_GROUP, vector, PLACES);
        return vector;
    }

    private static void add(int[] counts, double weight, float[] vector, int firstPlace) {
        for (int i = 0; i < PLACES; i++) {
            if (counts[i] > 0) {
                // A word that is repeated a hundred times is not a hundred times as important.
                double count = weight * (1 + StrictMath.log(counts[i]));
                long mixed = mixed(firstPlace + (long) i);
                int dimension = (int) Long.remainderUnsigned(mixed >>> 1, vector.length);
                vector[dimension] += (float) ((mixed & 1) == 0 ? count : -count);
            }
        }
    }

    private static int place(long hash) {
        return (int) (mixed(hash) >>> (Long.SIZE - PLACE_BITS));
    }

    /** Spread the bits of a short text's hash, of which FNV-1a leaves the highest almost alone. */
    private static long mixed(long hash) {
        long bits = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        bits = (bits ^ (bits >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return bits ^ (bits >>> 33);
    }
}
