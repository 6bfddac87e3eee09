package dev.chargehand.workflow;

/**
 * How the items of a foreach are processed; the first one that fails fails the entry.
 *
 * @param concurrency how many at once, from 1 to 100
 */
public record Each(int concurrency) {

    private static final int MOST = 100;

    public Each {
        Rules.between("The concurrency of a foreach", 1, MOST, concurrency);
    }

    /**
     * Process so many items at once.
     *
     * @param atOnce from 1, one after the other, to 100
     * @throws dev.chargehand.error.ConfigurationException if it is out of these bounds
     */
    public static Each concurrency(int atOnce) {
        return new Each(atOnce);
    }

    /** Collect an {@link Outcome} of each item, so that one that fails does not fail the entry. */
    public Collecting collect() {
        return new Collecting(concurrency);
    }

    /**
     * How the items of a foreach are processed that collects an {@link Outcome} of each.
     *
     * @param concurrency how many at once, from 1 to 100
     */
    public record Collecting(int concurrency) {

        public Collecting {
            Rules.between("The concurrency of a foreach", 1, MOST, concurrency);
        }
    }
}
