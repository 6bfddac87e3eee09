package dev.chargehand.bench;

import dev.chargehand.bench.disk.Median;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a user does, compared with programs that only send the same requests and read the lines of the answers. Each has
 * a process of its own; blocks of runs alternate, and ratios are taken block by block.
 *
 * @param name the line of the table
 * @param contender who makes the runs with Chargehand, see {@link ContenderProcess}
 * @param atOnce how many runs at once; 1 is on the thread of the caller
 * @param warmUp how many runs each program has made before
 * @param block how many runs are measured at a time
 */
record Workload(String name, String contender, int atOnce, int warmUp, int block) {

    private static final int BLOCKS = 7;

    /** How many deltas each answer of text has, in the workloads of short answers. */
    static final String DELTAS = "16";

    /**
     * What was measured.
     *
     * @param ratio the median of the ratios to the JDK's client
     * @param wrong the wrong answers of all programs; whose they were is printed
     */
    record Measured(double ratio, long wrong) {}

    /** Return this workload with a tenth of the runs. */
    Workload shortened() {
        return new Workload(name, contender, atOnce, Math.max(1, warmUp / 10), Math.max(1, block / 10));
    }

    /**
     * Measure it, and print all blocks.
     *
     * @param before the class path of another build to compare with, or null
     */
    Measured measured(@Nullable String before) throws IOException {
        Path recording = Files.createTempFile("chargehand-bench", ".requests");
        List<Child> children = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("chargehand", "jdk", "apache"));
        try (Child provider = Child.start("provider", "0", DELTAS)) {
            Files.write(recording, BenchProvider.recorded(url -> ContenderProcess.ours(contender, url)));
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            children.add(Child.start("contender", contender, url));
            children.add(Child.start("contender", "jdk", url, recording.toString()));
            children.add(Child.start("contender", "apache", url, recording.toString()));
            if (before != null) {
                names.add("before");
                children.add(Child.startFrom(before, Child.OPTIONS, "contender", contender, url));
            }
            return measured(names, children);
        } finally {
            children.forEach(Child::close);
            Files.deleteIfExists(recording);
        }
    }

    private Measured measured(List<String> names, List<Child> children) throws IOException {
        System.out.printf(
                Locale.ROOT, "%n%s: %d at once, after %d runs, processor time in µs a run%n", name, atOnce, warmUp);
        for (Child child : children) {
            child.ask("run " + warmUp + " " + atOnce);
        }
        StringBuilder head = new StringBuilder("block");
        names.forEach(each -> head.append(String.format(Locale.ROOT, " %12s", each)));
        names.stream().skip(1).forEach(each -> head.append(String.format(Locale.ROOT, " %9s", "/ " + each)));
        System.out.println(head);
        double[][] ratios = new double[names.size()][BLOCKS];
        long[] wrong = new long[names.size()];
        for (int i = 0; i < BLOCKS; i++) {
            double[] micros = new double[names.size()];
            for (int j = 0; j < micros.length; j++) {
                long[] figures = children.get(j).ask("run " + block + " " + atOnce);
                micros[j] = figures[0] / 1_000.0 / block;
                ratios[j][i] = micros[0] / micros[j];
                wrong[j] += figures[2];
            }
            StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%5d", i + 1));
            for (double each : micros) {
                row.append(String.format(Locale.ROOT, " %12.0f", each));
            }
            for (int j = 1; j < micros.length; j++) {
                row.append(String.format(Locale.ROOT, " %9.2f", ratios[j][i]));
            }
            System.out.println(row);
        }
        StringBuilder medians = new StringBuilder(name + ":");
        for (int j = 1; j < ratios.length; j++) {
            medians.append(String.format(Locale.ROOT, " to_%s=%.2f", names.get(j), Median.of(ratios[j])));
        }
        for (int j = 0; j < wrong.length; j++) {
            medians.append(wrong[j] == 0 ? "" : " wrong_of_" + names.get(j) + "=" + wrong[j]);
        }
        System.out.println(medians);
        return new Measured(Median.of(ratios[1]), Arrays.stream(wrong).sum());
    }
}
