package dev.chargehand.bench;

import dev.chargehand.bench.disk.Median;
import dev.chargehand.bench.disk.WorkflowRuns;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures the processor time of workflows whose events are read, in memory and on a SQLite file: of a step, compared with a tool call of an
 * agent whose model answers at once; of 10,000 items, in a process that has run nothing before and in a warm one; and of 1,000 iterations.
 *
 * <p>Kinds that are compared take turns in one process. With a heap of 100 MB, a process of its own makes the same items.
 */
final class WorkflowBench {

    private static final List<String> STORES = List.of("memory", "sqlite");
    private static final int ITEMS = 10_000;
    private static final int ITERATIONS = 1_000;
    private static final int BLOCKS = 7;
    private static final int WARM_UP_BLOCKS = 3;
    private static final int BLOCK = 100;
    private static final int COLD = 3;
    private static final int WARM = 5;
    private static final List<String> SMALL_HEAP = List.of("-Xmx100m");

    private static long wrong;

    private WorkflowBench() {}

    static void main(List<String> arguments) throws IOException {
        int block = arguments.contains("--short") ? BLOCK / 10 : BLOCK;
        StringBuilder figures = new StringBuilder();
        List<String> chosen = STORES.stream().filter(arguments::contains).toList();
        for (String store : chosen.isEmpty() ? STORES : chosen) {
            try (Child child = Child.start("workflow-runs", store)) {
                double[] step = ratios(child, "steps " + WorkflowRuns.STEPS, "agent-steps 0", block);
                double[] item = ratios(child, "items " + WorkflowRuns.AT_ONCE, "agent-calls 0", block);
                double[] items = millis(child, "items " + ITEMS);
                double[] loop = millis(child, "loop " + ITERATIONS);
                figures.append(String.format(
                        Locale.ROOT,
                        " %s_step=%.2f %s_item=%.2f %s_items_ms=%.0f %s_loop_ms=%.0f %s_transactions=%d",
                        store,
                        Median.of(step),
                        store,
                        Median.of(item),
                        store,
                        Median.of(items),
                        store,
                        Median.of(loop),
                        store,
                        ask(child, "steps " + WorkflowRuns.STEPS + " 1")[1]));
            }
            figures.append(String.format(
                    Locale.ROOT,
                    " %s_items_cold_ms=%.0f %s_items_100mb_ms=%.0f",
                    store,
                    Median.of(cold(store, Child.OPTIONS)),
                    store,
                    Median.of(cold(store, SMALL_HEAP))));
        }
        System.out.printf(Locale.ROOT, "workflows:%s wrong=%d%n", figures, wrong);
    }

    private static long[] ask(Child child, String order) throws IOException {
        long[] answer = child.ask(order);
        wrong += answer[2];
        return answer;
    }

    /** Compare runs with the same number of calls, block by block. */
    private static double[] ratios(Child child, String workflow, String agent, int block) throws IOException {
        double[] ratios = new double[BLOCKS];
        System.out.printf(Locale.ROOT, "%5s %20s µs %20s µs %8s  (for each run)%n", "block", workflow, agent, "ratio");
        for (int i = -WARM_UP_BLOCKS; i < BLOCKS; i++) {
            double ours = ask(child, workflow + " " + block)[0] / 1_000.0 / block;
            double others = ask(child, agent + " " + block)[0] / 1_000.0 / block;
            if (i >= 0) {
                ratios[i] = ours / others;
                System.out.printf(Locale.ROOT, "%5d %23.0f %23.0f %8.2f%n", i + 1, ours, others, ratios[i]);
            }
        }
        return ratios;
    }

    private static double[] millis(Child child, String order) throws IOException {
        double[] millis = new double[WARM];
        for (int i = -1; i < WARM; i++) {
            double one = ask(child, order + " 1")[0] / 1e6;
            if (i >= 0) {
                millis[i] = one;
            }
        }
        return printed(order, millis);
    }

    /** Make the items once, in processes that have run nothing before. */
    private static double[] cold(String store, List<String> options) throws IOException {
        double[] millis = new double[COLD];
        for (int i = 0; i < COLD; i++) {
            try (Child child = Child.start(options, "workflow-runs", store)) {
                millis[i] = ask(child, "items " + ITEMS + " 1")[0] / 1e6;
            }
        }
        return printed("items " + ITEMS + " cold " + store + " " + options, millis);
    }

    private static double[] printed(String what, double[] millis) {
        StringBuilder line = new StringBuilder(what).append(": ms of processor time");
        for (double each : millis) {
            line.append(String.format(Locale.ROOT, " %.0f", each));
        }
        System.out.println(line);
        return millis;
    }
}
