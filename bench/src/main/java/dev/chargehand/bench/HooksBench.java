package dev.chargehand.bench;

import dev.chargehand.bench.disk.Median;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures the cost of control: a hook and a scorer that do nothing, ten iterations with every feature compared with a
 * program that only makes the same twenty calls, and the heap after many runs of one agent.
 */
final class HooksBench {

    private static final int WARM_UP = 5_000;
    private static final int BLOCK = 200;
    private static final int BLOCKS = 7;
    private static final int AT_ONCE = 4;

    private HooksBench() {}

    static void main(List<String> arguments) throws IOException {
        double[] noOps = NoOps.measure();
        double ratio = tenIterations();
        long growth = NoOps.heapGrowth();
        System.out.printf(
                Locale.ROOT,
                "hooks: noop_hook_us=%.1f noop_scorer_us=%.1f ten_iterations_ratio_to_jdk=%.2f heap_growth_kb=%d%n",
                noOps[0],
                noOps[1],
                ratio,
                growth / 1024);
    }

    private static double tenIterations() throws IOException {
        Path recording = Files.createTempFile("chargehand-bench", ".requests");
        try (Child provider = Child.start("provider", "0")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            List<String> requests =
                    BenchProvider.recorded(baseUrl -> ChargehandContender.inMemory(baseUrl, Agents.controlled()));
            if (requests.size() != 2 * Agents.ITERATIONS) {
                throw new IllegalStateException("The run made " + requests.size() + " model calls.");
            }
            Files.write(recording, requests);
            try (Child ours = Child.start("contender", "controlled", url);
                    Child jdk = Child.start("contender", "jdk", url, recording.toString())) {
                return compared(ours, jdk);
            }
        } finally {
            Files.deleteIfExists(recording);
        }
    }

    private static double compared(Child ours, Child jdk) throws IOException {
        ours.ask("run " + WARM_UP + " " + AT_ONCE);
        jdk.ask("run " + WARM_UP + " " + AT_ONCE);
        System.out.printf(Locale.ROOT, "%5s %14s %14s %8s%n", "block", "chargehand µs", "jdk µs", "/ jdk");
        double[] ratios = new double[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            long[] a = ours.ask("run " + BLOCK + " " + AT_ONCE);
            long[] b = jdk.ask("run " + BLOCK + " " + AT_ONCE);
            if (a[2] + b[2] > 0) {
                throw new IOException((a[2] + b[2]) + " answers were wrong.");
            }
            ratios[i] = (double) a[0] / b[0];
            System.out.printf(
                    Locale.ROOT,
                    "%5d %14.0f %14.0f %8.2f%n",
                    i + 1,
                    a[0] / 1_000.0 / BLOCK,
                    b[0] / 1_000.0 / BLOCK,
                    ratios[i]);
        }
        return Median.of(ratios);
    }
}
