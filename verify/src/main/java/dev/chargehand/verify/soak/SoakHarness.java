package dev.chargehand.verify.soak;

import dev.chargehand.AgentRuntime;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Holdings;
import dev.chargehand.verify.harness.OpenStore;
import dev.chargehand.verify.harness.Slope;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs mixed traffic for long, and looks from time to time at what the process holds: what counts is whether that grows,
 * and what is left when the traffic is over.
 */
@Command(name = "soak", description = "Runs mixed traffic and looks for what grows.", mixinStandardHelpOptions = true)
public final class SoakHarness implements Harness {

    private static final long DEFAULT_N = 20_000;
    private static final int BLOCKS = 20;
    private static final int AT_ONCE = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final long BLOCK_OF_MINUTES = 500;

    /** Noise of a collection and of compiled code; a run that stays behind is tens of thousands of bytes. */
    private static final double HEAP_BYTES_PER_RUN = 400;

    private static final double THREADS_PER_RUN = 0.002;

    /** Threads that the JVM starts for itself on the way and keeps: carriers and pollers of virtual threads. */
    private static final int JVM_THREADS = 8;

    @Mixin
    private final CaseOptions cases;

    @Mixin
    private final StoreOption store;

    @Option(names = "--minutes", paramLabel = "MINUTES", description = "How long, instead of how many runs.")
    private long minutes;

    private final Tally tally = new Tally("hung", "wrong", "grows", "left");

    /** Make the harness as the command has it. */
    public SoakHarness() {
        this(new CaseOptions(), new StoreOption());
    }

    /** Make the harness of a sample. */
    public SoakHarness(CaseOptions cases, StoreOption store) {
        this.cases = cases;
        this.store = store;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        List<Sample> samples = new ArrayList<>();
        Sample before = Sample.take(0, 0, 0, 0);
        try (OpenStore opened = store.open();
                SoakProvider provider = new SoakProvider()) {
            try (AgentRuntime runtime = AgentRuntime.builder()
                    .anyoneMayApprove()
                    .store(store.isInMemory() ? InMemoryStore.create() : opened.store())
                    .providers(OpenAiCompatibleProvider.builder()
                            .provider("loop", provider.baseUrl(), "key")
                            .build())
                    .agents(SoakRuns.careful())
                    .build()) {
                drive(
                        new SoakRuns(runtime),
                        tally,
                        () -> samples.add(Sample.take(
                                tally.cases(),
                                provider.openConnections(),
                                runtime.abandonedCalls().size(),
                                opened.size())));
                if (!runtime.abandonedCalls().isEmpty()) {
                    tally.addFault("left", "abandoned calls " + runtime.abandonedCalls());
                }
            }
        }
        judge(samples, before, tally);
        return tally;
    }

    /** Run block by block; nothing runs while a sample is taken. */
    private void drive(SoakRuns runs, Tally tally, Runnable sample) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
        long[] numbers = minutes > 0 ? new long[0] : cases.numbers(DEFAULT_N).toArray();
        long block = minutes > 0 ? BLOCK_OF_MINUTES : Math.max(1, numbers.length / BLOCKS);
        long from = 0;
        while (minutes > 0 ? System.nanoTime() < end : from < numbers.length) {
            LongStream next = minutes > 0
                    ? LongStream.range(from, from + block)
                    : LongStream.of(numbers).skip(from).limit(block);
            Cases.run(
                    next,
                    AT_ONCE,
                    LONGEST,
                    number -> one(number, runs, tally),
                    (number, where) -> tally.addFault("hung", cases.again(number) + " at " + where),
                    (number, what) -> tally.addFault("wrong", cases.again(number) + " threw " + what));
            from += block;
            sample.run();
        }
    }

    private void one(long number, SoakRuns runs, Tally tally) {
        SplittableRandom random = cases.random(number);
        Traffic kind = Traffic.draw(random);
        String wrong = runs.run(kind, random);
        if (!wrong.isEmpty()) {
            tally.addFault("wrong", cases.again(number) + " " + kind + " ended as " + wrong);
        }
        tally.addCase();
    }

    private static void judge(List<Sample> samples, Sample before, Tally tally) {
        // While code is loaded and compiled and pools fill everything grows.
        List<Sample> settled = samples.subList(samples.size() / 4, samples.size());
        double heap = Slope.of(settled, Sample::runs, Sample::heap);
        double threads = Slope.of(settled, Sample::runs, Sample::threads);
        double descriptors = Slope.of(settled, Sample::runs, Sample::descriptors);
        double stored = Slope.of(settled, Sample::runs, Sample::stored);
        double connections = Slope.of(settled, Sample::runs, Sample::connections);
        grows("heap bytes", heap, HEAP_BYTES_PER_RUN, tally);
        grows("threads", threads, THREADS_PER_RUN, tally);
        grows("descriptors", descriptors, THREADS_PER_RUN, tally);
        grows("connections", connections, THREADS_PER_RUN, tally);
        Sample after = settle(before);
        long threadsLeft = Math.max(0, after.threads() - before.threads() - JVM_THREADS);
        long descriptorsLeft = Math.max(0, after.descriptors() - before.descriptors() - 12);
        if (threadsLeft > 0 || descriptorsLeft > 0) {
            tally.addFault(
                    "left",
                    threadsLeft + " threads and " + descriptorsLeft + " descriptors; the threads are "
                            + Holdings.threadNames());
        }
        tally.figure("heap_slope_bytes_per_run", String.format(Locale.ROOT, "%.1f", heap));
        tally.figure("threads_left", threadsLeft);
        tally.figure("descriptors_left", descriptorsLeft);
        tally.figure("stored_bytes_per_run", String.format(Locale.ROOT, "%.0f", stored));
    }

    private static void grows(String what, double slope, double most, Tally tally) {
        if (slope > most) {
            tally.addFault("grows", String.format(Locale.ROOT, "%.4f %s with every run", slope, what));
        }
    }

    /** Wait a moment for what ends by itself: threads that are on their way out. */
    private static Sample settle(Sample before) {
        Sample now = Sample.take(0, 0, 0, 0);
        for (int i = 0; i < 50 && now.threads() > before.threads() + JVM_THREADS; i++) {
            LockSupport.parkNanos(100_000_000);
            now = Sample.take(0, 0, 0, 0);
        }
        return now;
    }
}
