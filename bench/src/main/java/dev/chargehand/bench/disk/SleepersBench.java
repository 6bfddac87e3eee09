package dev.chargehand.bench.disk;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Measures what runs of workflows that sleep cost a process that could wake them: rows of the store, and no heap. Fails if the heap is
 * larger than with a few of them, or if one is executed before its time.
 */
public final class SleepersBench {

    private static final int DEFAULT_RUNS = 2_000;
    private static final int FEW = 100;
    private static final int AT_ONCE = 64;
    private static final double MOST_MEGABYTES = 4;
    private static final Duration LOOKS = Duration.ofSeconds(5);

    /** How often the step after the sleep was executed. */
    private final AtomicInteger executed = new AtomicInteger();

    private final Workflow<Integer, Integer> workflow = Workflow.from("sleeper", Integer.class)
            .then(Step.of("before", Integer.class, Integer.class, (in, context) -> in))
            .sleep("sleep", Duration.ofDays(30))
            .then(Step.of("after", Integer.class, Integer.class, (in, context) -> {
                executed.incrementAndGet();
                return in;
            }))
            .build(Integer.class);

    private SleepersBench() {}

    /** Run it with the number of runs. */
    public static void main(List<String> arguments) throws Exception {
        int runs = arguments.isEmpty() ? DEFAULT_RUNS : Integer.parseInt(arguments.getFirst());
        Path folder = Folders.temporary();
        try {
            new SleepersBench().measure(folder, runs);
        } finally {
            Folders.delete(folder);
        }
    }

    private void measure(Path folder, int runs) throws Exception {
        Path few = folder.resolve("few.db");
        RunId first = sleep(few, FEW);
        RunStatus woken = wake(few, first); // all classes are loaded now
        double before = megabytes(few);
        Path file = folder.resolve("runs.db");
        long started = System.nanoTime();
        RunId one = sleep(file, runs);
        double seconds = (System.nanoTime() - started) / 1e9;
        double heap = megabytes(file);
        int early = executed.get() - 1;
        boolean wakes = woken == RunStatus.COMPLETED && wake(file, one) == RunStatus.COMPLETED;
        System.out.printf(
                Locale.ROOT,
                "sleepers: runs=%d started_s=%.0f store_mb=%.1f heap_few_mb=%.1f heap_mb=%.1f early=%d wakes=%b%n",
                runs,
                seconds,
                Files.size(file) / 1e6,
                before,
                heap,
                early,
                wakes);
        if (early != 0 || !wakes || heap - before > MOST_MEGABYTES) {
            throw new IllegalStateException("Runs that sleep cost heap, or were executed early.");
        }
    }

    private AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(workflow)
                .wakeups(Wakeups.all())
                .build();
    }

    /** Start runs, wait until they sleep, and return one of them. */
    private RunId sleep(Path file, int runs) throws InterruptedException {
        AtomicReference<RunId> one = new AtomicReference<>();
        Semaphore places = new Semaphore(AT_ONCE);
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(file));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < runs; i++) {
                places.acquire();
                int input = i;
                callers.execute(() -> {
                    try {
                        RunId run = runtime.start(workflow, input, o -> {}).runId();
                        one.set(run);
                        while (runtime.handle(run).status() != RunStatus.SUSPENDED) {
                            TimeUnit.MILLISECONDS.sleep(5);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        places.release();
                    }
                });
            }
        }
        return one.get();
    }

    /** Return the live heap of this process while a runtime looks for what is due. */
    private double megabytes(Path file) throws InterruptedException {
        try (AgentRuntime ignored = runtime(JdbcStore.sqlite(file))) {
            TimeUnit.NANOSECONDS.sleep(LOOKS.toNanos());
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 3; i++) {
                System.gc();
                least = Math.min(
                        least,
                        Runtime.getRuntime().totalMemory()
                                - Runtime.getRuntime().freeMemory());
            }
            return least / 1e6;
        }
    }

    private RunStatus wake(Path file, RunId run) {
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(file))) {
            runtime.wake(run, "sleep");
            return runtime.handle(run).result().status();
        }
    }
}
