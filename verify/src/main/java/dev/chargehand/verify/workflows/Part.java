package dev.chargehand.verify.workflows;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** An entry of a random workflow, whose value is a number before and after it. */
sealed interface Part {

    int MOST_WAIT_MILLIS = 40;
    int MOST_ITEMS = 25;
    int AT_ONCE = 8;
    int AN_HOUR = 3_600_000;

    /** What is between the id of a step of a nested workflow and its input. */
    String NESTED = "=";

    /**
     * The work of a step: it multiplies and adds, and fails as often as is set.
     *
     * @param id the id of the step
     * @param failures how many attempts fail
     * @param retries how many attempts may follow on the first one
     * @param rescued whether a fallback makes a number of a failure
     * @param once whether a call that is interrupted may not be executed again
     * @param waitMillis how long it waits between its attempts
     * @param questions what it asks before
     * @param nested whether a nested workflow that shares the state has the step
     */
    record Work(
            String id,
            int factor,
            int failures,
            int retries,
            boolean rescued,
            boolean once,
            int waitMillis,
            Questions questions,
            boolean nested) {

        Work with(boolean isOnce, int wait, Questions asked) {
            return new Work(id, factor, failures, retries, rescued, isOnce, wait, asked, nested);
        }

        /** Return it as a step of the root run. */
        Work ofRoot() {
            return new Work(id, factor, failures, retries, rescued, once, waitMillis, questions, false);
        }

        /** Return what names its call: a step of a nested workflow knows its input, and not the item that it is in. */
        String path(String place, long in) {
            return nested ? id + NESTED + in : place;
        }

        /** Return whether a nested workflow waits for a moment before the step. */
        boolean sleeps() {
            return nested && factor % 2 == 0;
        }

        /** Return how many attempts there are if nothing interrupts them. */
        int attempts() {
            return 1 + Math.min(failures, retries);
        }

        boolean fails() {
            return failures > retries;
        }

        boolean mayFail() {
            return fails() || once || questions.mayFail();
        }

        /** Return what it gives. */
        long apply(long in, long answers) {
            return Math.floorMod(in * factor + id.hashCode() + answers, 1_000_003L);
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
    record Foreach(String id, Work work, int mostItems, int atOnce, boolean collects) implements Part {

        /** One item at a time if the others that start before one has failed are not known. */
        int concurrency() {
            return !collects && work.mayFail() ? 1 : atOnce;
        }

        static long joined(List<Long> outs) {
            long joined = 0;
            for (long out : outs) {
                joined = Math.floorMod(joined * 31 + out, 1_000_003L);
            }
            return joined;
        }
    }

    /** Waits, and passes the number on. */
    record Sleep(String id, int millis) implements Part {}

    /** Make random parts, all of whose steps may be executed again. */
    static List<Part> random(SplittableRandom random) {
        return some(random, random.nextInt(1, 7));
    }

    /**
     * Make random parts of a run whose process is killed: more of them, with steps that may not be executed again, longer waits between
     * attempts, longer sleeps, and many items at once. No question is declined.
     */
    static List<Part> killed(SplittableRandom random) {
        return disturbed(random, true);
    }

    /** Make random parts like those of a killed run, some of whose sleeps only a wake ends, and some of whose questions are declined. */
    static List<Part> raced(SplittableRandom random) {
        return disturbed(random, false).stream()
                .map(part ->
                        part instanceof Sleep sleep && random.nextBoolean() ? new Sleep(sleep.id(), AN_HOUR) : part)
                .toList();
    }

    private static List<Part> disturbed(SplittableRandom random, boolean neverDeclined) {
        List<Part> parts = new ArrayList<>();
        for (Part part : some(random, random.nextInt(3, 9))) {
            boolean once = random.nextInt(6) == 0;
            int wait = random.nextInt(1, MOST_WAIT_MILLIS);
            UnaryOperator<Work> with = work ->
                    work.with(once, wait, neverDeclined ? work.questions().neverDeclined() : work.questions());
            parts.add(
                    switch (part) {
                        case Then then -> new Then(with.apply(then.work()));
                        case Bail bail -> new Bail(with.apply(bail.work()), 2 * bail.of());
                        case Map map -> map;
                        case Sleep sleep -> new Sleep(sleep.id(), 10 * wait);
                        case Parallel parallel -> new Parallel(parallel.id(), all(parallel.works(), with));
                        case Branch branch ->
                            new Branch(
                                    branch.id(),
                                    branch.of(),
                                    with.apply(branch.yes()),
                                    with.apply(branch.no()),
                                    branch.passes());
                        case BranchAll branch -> new BranchAll(branch.id(), all(branch.works(), with));
                        case Loop loop -> new Loop(with.apply(loop.work()), loop.of(), 2 + loop.atMost());
                        case Foreach foreach ->
                            new Foreach(
                                    foreach.id(), with.apply(foreach.work()), MOST_ITEMS, AT_ONCE, foreach.collects());
                    });
        }
        return parts;
    }

    private static List<Work> all(List<Work> works, UnaryOperator<Work> with) {
        return works.stream().map(with).toList();
    }

    private static List<Part> some(SplittableRandom random, int count) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(one(random, "e" + i));
        }
        return parts;
    }

    private static Part one(SplittableRandom random, String id) {
        return switch (random.nextInt(10)) {
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
            case 6 -> new Loop(work(random, id).ofRoot(), random.nextInt(2, 5), random.nextInt(1, 6));
            case 7 ->
                new Foreach(
                        id, work(random, id + "-item"), random.nextInt(6), random.nextInt(1, 4), random.nextBoolean());
            case 8 -> new Sleep(id, random.nextInt(1, 5));
            default -> new Bail(work(random, id).ofRoot(), random.nextInt(3, 9));
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
                id,
                random.nextInt(1, 9),
                flaky ? random.nextInt(1, 4) : 0,
                random.nextInt(3),
                random.nextInt(3) > 0,
                false,
                1,
                random.nextInt(4) == 0 ? Questions.random(random) : Questions.NONE,
                random.nextInt(3) == 0);
    }
}
