package dev.chargehand.bench;

import java.io.IOException;

/**
 * Measures the live heap of runs that all wait for the answer in the middle of their delegation: the provider holds that
 * answer until the heap is known, however busy the machine is.
 */
final class HeldRuns {

    private HeldRuns() {}

    /**
     * What was measured.
     *
     * @param kilobytes the live heap per run
     * @param stacks how much of it are the stacks of virtual threads, whose size depends on what the compiler has done
     *     and on how often threads had to wait for a lock
     */
    record Measured(double kilobytes, double stacks, long wrong) {}

    /** Start so many runs at once, measure when the provider holds all of them, and let them end. */
    static Measured measure(Child provider, Child contender, int runs) throws IOException {
        provider.ask("shut");
        long[] before = contender.ask("hold " + runs);
        provider.ask("await " + runs);
        long[] during = contender.ask("heap");
        provider.ask("open");
        double unit = 1024.0 * runs;
        return new Measured(
                (during[0] - before[0]) / unit,
                (during[1] - before[1]) / unit,
                contender.ask("end")[0]);
    }
}
