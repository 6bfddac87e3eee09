package dev.chargehand.verify.workflows;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** An entry of a random workflow, whose value is a number before and after it. */
sealed interface Part {

    /**
     * The work of a step: it multiplies and adds, and fails as often as is set.
     *
     * @param id the id of the step
     * @param failures how many attempts fail
     * @param retries how many attempts may follow on the first one
     * @param rescued whether a fallback makes a number of a failure
     */
    record Work(String id, int factor, int failures, int retries, boolean rescued) {

        boolean fails() {
            return failures > retries;
        }

        long apply(long in) {
            return Math.floorMod(in * factor + id.hashCode(), 1_000_003L);
        }
    }

    record Then(Work work) implements Part {}

    /** Bails if the number is a multiple. */
    record Bail(Work work, int of) implements Part {}

    record Map(String id, long plus) implements Part {}

    /** The sum of what the works give. */
    record Parallel(String id, List<Work> works) implements Part {}

    /** The first work if the number is a multiple, else the other, or none. */
    record Branch(String id, int of, Work yes, Work no, boolean passes) implements Part {}

    /** The sum of what those works give of whose place plus 2 the number is a multiple. */
    record BranchAll(String id, List<Work> works) implements Part {}

    /** Until the number has a rest. */
    record Loop(Work work, int of, int atMost) implements Part {}

    /** What the work gives of each of the numbers from this on, joined in their order; -1 for one that failed. */
    record Foreach(String id, Work work, int mostItems, int concurrency, boolean collects) implements Part {

        static long joined(List<Long> outs) {
            long joined = 0;
            for (long out : outs) {
                joined = Math.floorMod(joined * 31 + out, 1_000_003L);
            }
            return joined;
        }
    }

    /** Make random parts. */
    static List<Part> random(SplittableRandom random) {
        List<Part> parts = new ArrayList<>();
        int count = random.nextInt(1, 7);
        for (int i = 0; i < count; i++) {
            parts.add(one(random, "e" + i));
        }
        return parts;
    }

    private static Part one(SplittableRandom random, String id) {
        return switch (random.nextInt(9)) {
            case 0, 1 -> new Then(work(random, id));
            case 2 -> new Map(id, random.nextInt(100));
            case 3 -> new Parallel(id, works(random, id));
            case 4 ->
                new Branch(
                        id,
                        random.nextInt(1, 4),
                        work(random, id + "-yes"),
                        work(random, id + "-no"),
                        random.nextInt(3) == 0);
            case 5 -> new BranchAll(id, works(random, id));
            case 6 -> new Loop(work(random, id), random.nextInt(2, 5), random.nextInt(1, 6));
            case 7 ->
                new Foreach(
                        id, work(random, id + "-item"), random.nextInt(6), random.nextInt(1, 4), random.nextBoolean());
            default -> new Bail(work(random, id), random.nextInt(3, 9));
        };
    }

    private static List<Work> works(SplittableRandom random, String id) {
        List<Work> works = new ArrayList<>();
        int count = random.nextInt(2, 4);
        for (int i = 0; i < count; i++) {
            works.add(work(random, id + "-" + i));
        }
        return works;
    }

    private static Work work(SplittableRandom random, String id) {
        boolean flaky = random.nextInt(4) == 0;
        return new Work(
                id, random.nextInt(1, 9), flaky ? random.nextInt(1, 4) : 0, random.nextInt(3), random.nextInt(3) > 0);
    }
}
