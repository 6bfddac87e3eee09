package dev.chargehand.config;

import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.replay.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Writes the runs of {@link SavedWorkflow} of a version, once, before it is released: {@code SavedWorkflowWriter
 * src/test/resources/golden/0.1.0}; ended, and as they are each time that their process is gone between two of their facts. Never run by
 * the build.
 */
final class SavedWorkflowWriter {

    private static final Instant THEN = Instant.parse("2026-01-05T09:00:00Z");
    private static final int MANY = 500;

    private SavedWorkflowWriter() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        if (Files.exists(folder)) {
            throw new IllegalArgumentException(folder + " exists; a corpus is written once.");
        }
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        play(counted);
        save(counted, folder.resolve("order.json"));
        int appends = counted.count(FaultyStore.Operation.APPEND);
        for (int append = 2; append <= appends; append++) {
            InMemoryStore store = InMemoryStore.keepingEndedRuns();
            playUntil(append, store);
            if (!root(store).status().isEnded()) {
                save(store, folder.resolve("order-killed-" + append + ".json"));
            }
        }
    }

    private static void play(Store store) {
        try (SavedWorkflow saved = new SavedWorkflow(store, "", THEN)) {
            RunResult ignored = saved.play();
        }
    }

    /** Nothing is stored from that append on, so a caller that waits for more is left alone. */
    private static void playUntil(int append, Store store) {
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        Thread playing = Thread.ofVirtual().start(() -> {
            try {
                play(dying);
            } catch (ChargehandException e) {
                // its store is gone
            }
        });
        while (playing.isAlive() && dying.count(FaultyStore.Operation.APPEND) < append) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static RunRecord root(Store store) {
        return store.list(RunFilter.ROOTS).getFirst();
    }

    private static void save(Store store, Path file) {
        Recording ignored = Recording.of(store, root(store).runId()).save(file);
    }
}
