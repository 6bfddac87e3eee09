package dev.chargehand.bench;

import dev.chargehand.bench.disk.Median;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures thousands of delegated runs at once, 200 ms per model call, compared with a bare HttpClient 5 program: wall
 * time, wrong answers, and the live heap per run while all of them are in the middle of a delegation.
 *
 * <p>Both programs have their whole heap from the start, as services do, or with {@code growing-heap} what the JVM
 * gives them: then the first seconds of thousands of runs measure how heaps grow.
 */
final class Concurrency {

    private static final List<Integer> AT_ONCE = List.of(1_000, 5_000);
    private static final int ROUNDS = 7;

    /** What is measured is a warm process, and by then the compiler has little left to do. */
    private static final int WARM_UP = 80_000;

    private static final List<String> WHOLE_HEAP = List.of("-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch");
    private static final List<String> GROWING_HEAP = List.of("-Xmx4g");

    private Concurrency() {}

    static void main(List<String> arguments) throws IOException {
        if (!arguments.isEmpty() && !arguments.equals(List.of("growing-heap"))) {
            throw new IllegalArgumentException("concurrency takes nothing, or growing-heap; not " + arguments);
        }
        List<String> options = arguments.isEmpty() ? WHOLE_HEAP : GROWING_HEAP;
        StringBuilder summary = new StringBuilder("concurrency:");
        try (Child provider = Child.start("provider", "200")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            try (Child ours = Child.start(options, "contender", "chargehand", url);
                    Child apache = Child.start(options, "contender", "apache", url)) {
                wall(ours, apache, summary);
            }
        }
        try (Child provider = Child.start("provider", "0")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            try (Child ours = Child.start("contender", "chargehand", url);
                    Child apache = Child.start("contender", "apache", url)) {
                heap(provider, ours, apache, summary);
            }
        }
        System.out.println(summary);
    }

    private static void wall(Child ours, Child apache, StringBuilder summary) throws IOException {
        for (Child child : List.of(ours, apache)) {
            child.ask("run " + WARM_UP + " 1000");
        }
        System.out.printf(Locale.ROOT, "%6s %15s %11s %7s %6s%n", "runs", "chargehand ms", "bare ms", "ratio", "wrong");
        for (int runs : AT_ONCE) {
            for (Child child : List.of(ours, apache)) {
                child.ask("run " + runs + " " + runs); // opens the connections
            }
            double[] ratios = new double[ROUNDS];
            long wrong = 0;
            for (int i = 0; i < ROUNDS; i++) {
                long[] a = ours.ask("run " + runs + " " + runs);
                long[] b = apache.ask("run " + runs + " " + runs);
                ratios[i] = (double) a[1] / b[1];
                wrong += a[2];
                System.out.printf(
                        Locale.ROOT,
                        "%6d %15d %11d %7.2f %6d%n",
                        runs,
                        a[1] / 1_000_000,
                        b[1] / 1_000_000,
                        ratios[i],
                        a[2]);
            }
            summary.append(String.format(
                    Locale.ROOT, " wall_ratio_%d=%.2f wrong_%d=%d", runs, Median.of(ratios), runs, wrong));
        }
    }

    private static void heap(Child provider, Child ours, Child apache, StringBuilder summary) throws IOException {
        int runs = 2_000;
        HeldRuns.Measured a = HeldRuns.measure(provider, ours, runs);
        HeldRuns.Measured b = HeldRuns.measure(provider, apache, runs);
        System.out.printf(
                Locale.ROOT,
                "live heap per run in flight: chargehand %.1f KB, bare %.1f KB (%d runs)%n",
                a.kilobytes(),
                b.kilobytes(),
                runs);
        summary.append(String.format(
                Locale.ROOT,
                " heap_kb_above_bare=%.1f wrong_held=%d",
                a.kilobytes() - b.kilobytes(),
                a.wrong() + b.wrong()));
    }
}
