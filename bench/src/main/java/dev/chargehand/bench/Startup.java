package dev.chargehand.bench;

import dev.chargehand.bench.disk.Folders;
import dev.chargehand.bench.disk.Median;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures the time of a cold process to its first delegated answer, compared with a program that only makes the same
 * four calls: as it is, and with what the JDK recorded of an earlier start.
 *
 * <p>Starts alternate, and ratios are taken round by round. All processes have the options that the launcher gives.
 */
final class Startup {

    private static final int ROUNDS = 15;
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private static final boolean AOT = Runtime.version().feature() >= 25;

    private Startup() {}

    /** The medians of the ratios to the bare program, and how many answers were wrong. */
    record Ratios(double plain, double cached, long wrong) {}

    static void main(List<String> arguments) throws IOException, InterruptedException {
        Ratios ratios = measured(ROUNDS);
        System.out.printf(
                Locale.ROOT,
                "startup: ratio_to_bare=%.2f cached_ratio_to_bare=%.2f wrong_answers=%d%n",
                ratios.plain(),
                ratios.cached(),
                ratios.wrong());
    }

    static Ratios measured(int rounds) throws IOException, InterruptedException {
        Path folder = Folders.temporary();
        Path cache = folder.resolve("cache");
        try (Child provider = Child.start("provider", "0")) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            record(cache, url);
            return measured(cache, url, rounds);
        } finally {
            Folders.delete(folder);
        }
    }

    private static void record(Path cache, String url) throws IOException, InterruptedException {
        try (Child child = Child.start(
                with(AOT ? "-XX:AOTCacheOutput=" + cache : "-XX:ArchiveClassesAtExit=" + cache, "-Xlog:disable"),
                "contender",
                "chargehand",
                url)) {
            child.ask("run 1 1");
            if (!child.end() || !Files.exists(cache)) {
                throw new IOException("The JDK recorded nothing.");
            }
        }
    }

    private static Ratios measured(Path cache, String url, int rounds) throws IOException {
        List<String> cached = with(AOT ? "-XX:AOTCache=" + cache : "-XX:SharedArchiveFile=" + cache);
        double[] ratio = new double[rounds];
        double[] cachedRatio = new double[rounds];
        long wrong = 0;
        System.out.printf(
                Locale.ROOT,
                "%5s %14s %14s %10s %8s %8s%n",
                "round",
                "chargehand ms",
                "with cache ms",
                "bare ms",
                "ratio",
                "cached");
        for (int i = 0; i < rounds; i++) {
            Start ours = start(OPTIONS, "chargehand", url);
            Start recorded = start(cached, "chargehand", url);
            Start bare = start(OPTIONS, "jdk", url);
            wrong += ours.wrong() + recorded.wrong() + bare.wrong();
            ratio[i] = ours.millis() / bare.millis();
            cachedRatio[i] = recorded.millis() / bare.millis();
            System.out.printf(
                    Locale.ROOT,
                    "%5d %14.0f %14.0f %10.0f %8.2f %8.2f%n",
                    i + 1,
                    ours.millis(),
                    recorded.millis(),
                    bare.millis(),
                    ratio[i],
                    cachedRatio[i]);
        }
        return new Ratios(Median.of(ratio), Median.of(cachedRatio), wrong);
    }

    private record Start(double millis, long wrong) {}

    private static Start start(List<String> options, String contender, String url) throws IOException {
        long begin = System.nanoTime();
        try (Child child = Child.start(options, "contender", contender, url)) {
            long wrong = child.ask("run 1 1")[2];
            return new Start((System.nanoTime() - begin) / 1_000_000.0, wrong);
        }
    }

    private static List<String> with(String... options) {
        List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(List.of(options));
        return all;
    }
}
