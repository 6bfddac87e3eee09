package dev.chargehand.bench;

import dev.chargehand.bench.disk.Median;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures the processor time of a delegated run of four model calls, compared with programs that only make the same
 * calls.
 *
 * <p>Each contender has a process of its own, and the server another; blocks of runs alternate, and ratios are taken
 * block by block, so that a machine that changes its speed changes all of them.
 */
final class Overhead {

    private static final int WARM_UP = 40_000;
    private static final int BLOCK = 4_000;
    private static final int BLOCKS = 7;
    private static final int AT_ONCE = 4;

    private Overhead() {}

    static void main(List<String> arguments) throws IOException {
        try (Child provider = Child.start("provider", "0")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            try (Child ours = Child.start("contender", "chargehand", url);
                    Child jdk = Child.start("contender", "jdk", url);
                    Child apache = Child.start("contender", "apache", url)) {
                measure(ours, jdk, apache);
            }
        }
    }

    private static void measure(Child ours, Child jdk, Child apache) throws IOException {
        for (Child child : List.of(ours, jdk, apache)) {
            child.ask("run " + WARM_UP + " " + AT_ONCE);
        }
        double[] us = new double[BLOCKS];
        double[] toJdk = new double[BLOCKS];
        double[] toApache = new double[BLOCKS];
        long wrong = 0;
        System.out.printf(
                Locale.ROOT,
                "%5s %14s %14s %14s %8s %8s%n",
                "block",
                "chargehand µs",
                "jdk µs",
                "apache µs",
                "/ jdk",
                "/ apache");
        for (int i = 0; i < BLOCKS; i++) {
            long[] a = ours.ask("run " + BLOCK + " " + AT_ONCE);
            long[] b = jdk.ask("run " + BLOCK + " " + AT_ONCE);
            long[] c = apache.ask("run " + BLOCK + " " + AT_ONCE);
            us[i] = a[0] / 1_000.0 / BLOCK;
            toJdk[i] = (double) a[0] / b[0];
            toApache[i] = (double) a[0] / c[0];
            wrong += a[2] + b[2] + c[2];
            System.out.printf(
                    Locale.ROOT,
                    "%5d %14.0f %14.0f %14.0f %8.2f %8.2f%n",
                    i + 1,
                    us[i],
                    b[0] / 1_000.0 / BLOCK,
                    c[0] / 1_000.0 / BLOCK,
                    toJdk[i],
                    toApache[i]);
        }
        System.out.printf(
                Locale.ROOT,
                "overhead: cpu_us_per_run=%.0f ratio_to_jdk=%.2f ratio_to_httpclient5=%.2f wrong_answers=%d%n",
                Median.of(us),
                Median.of(toJdk),
                Median.of(toApache),
                wrong);
    }
}
