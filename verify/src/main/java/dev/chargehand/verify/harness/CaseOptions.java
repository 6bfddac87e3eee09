package dev.chargehand.verify.harness;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a harness whose cases are numbered: a case is the same whenever its seed and number are. */
public final class CaseOptions {

    @Option(names = "--n", paramLabel = "COUNT", description = "How many cases.")
    private @Nullable Long n;

    @Option(names = "--seed", description = "Which cases; 1 by default.")
    private long seed = 1;

    @Option(names = "--only", paramLabel = "NUMBER", description = "Only the case of this number.")
    private @Nullable Long only;

    /** Make the options as they are when none is given. */
    public CaseOptions() {}

    /** Make options of a sample. */
    public CaseOptions(long n, long seed) {
        this.n = n;
        this.seed = seed;
    }

    /** Return the numbers of the cases, from 1. */
    public LongStream numbers(long byDefault) {
        Long single = only;
        Long count = n;
        return single != null ? LongStream.of(single) : LongStream.rangeClosed(1, count == null ? byDefault : count);
    }

    /**
     * Return the numbers of the cases out of a list of all, spread over the whole list: one out of each of as many parts of
     * it as there are to be cases, by the seed.
     *
     * @param all how many cases there are, at least 1
     * @return as many distinct numbers from 1 to {@code all} as there are to be cases, or all if there are fewer
     */
    public LongStream spread(long all) {
        if (isSingle()) {
            return numbers(all).filter(number -> number <= all);
        }
        long count = Math.min(all, numbers(all).count());
        return LongStream.rangeClosed(1, count).map(part -> {
            long before = (part - 1) * all / count;
            return before + random(part).nextLong(part * all / count - before) + 1;
        });
    }

    /** Return whether a case is the only one, so that more can be reported about it. */
    public boolean isSingle() {
        return only != null;
    }

    /** Return the random numbers of a case. */
    public SplittableRandom random(long number) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ number * 0xBF58476D1CE4E5B9L).split();
    }

    /** Return what to call the harness with to see a case again. */
    public String again(long number) {
        return "--seed " + seed + " --only " + number;
    }
}
