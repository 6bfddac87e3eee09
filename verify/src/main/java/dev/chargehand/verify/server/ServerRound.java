package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.server.client.Received;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs on one store, started and read over HTTP, while the servers are killed and replaced. Then the streams are compared
 * with the stored events, and the effects with the ledger.
 */
final class ServerRound {

    private static final int AT_ONCE = 6;
    private static final int[] MOST_EVENTS_OF_READERS = {1, 12, 1_000_000};
    private static final int MOST_MILLIS_BETWEEN_KILLS = 1_500;

    private final StorePlace place;
    private final Path ledger;
    private final int runs;
    private final SplittableRandom random;
    private final Tally tally;
    private final String again;
    private final Map<String, KeyedStart> starts = new ConcurrentHashMap<>();
    private final Map<String, List<CutStream>> readers = new ConcurrentHashMap<>();
    private final AtomicInteger kills = new AtomicInteger();

    ServerRound(StorePlace place, Path ledger, int runs, SplittableRandom random, Tally tally, String again) {
        this.place = place;
        this.ledger = ledger;
        this.runs = runs;
        this.random = random;
        this.tally = tally;
        this.again = again;
    }

    /** Play it; returns how many servers were killed. */
    int play() throws IOException, InterruptedException {
        try (Servers servers = Servers.start(place, ledger, ServerWork.SIGNED, 2)) {
            Thread human = Thread.ofVirtual()
                    .start(new Human(servers, new OutsideLedger(ledger), random.split(), this::fault));
            Thread killer = killer(servers);
            readAll(servers);
            killer.interrupt();
            killer.join();
            human.interrupt();
            human.join();
        }
        check();
        return kills.get();
    }

    private void readAll(Servers servers) throws InterruptedException {
        Semaphore free = new Semaphore(AT_ONCE);
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < runs; number++) {
            free.acquire();
            String task = "task-" + number;
            SplittableRandom own = random.split();
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    read(servers, task, own);
                } finally {
                    free.release();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Start one run and read it to its end. */
    private void read(Servers servers, String task, SplittableRandom own) {
        KeyedStart start = KeyedStart.of(servers, task, this::fault);
        starts.put(task, start);
        String run = start.start(own);
        if (run.isEmpty()) {
            return;
        }
        List<CutStream> streams = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int events : MOST_EVENTS_OF_READERS) {
            CutStream stream = new CutStream(servers, run, events, own.split(), tally, again);
            streams.add(stream);
            threads.add(Thread.ofVirtual().start(stream));
        }
        readers.put(run, streams);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kill servers again and again, and send all starts again after each time. */
    private Thread killer(Servers servers) {
        SplittableRandom own = random.split();
        return Thread.ofPlatform().name("killer").start(() -> {
            try {
                while (!Thread.interrupted()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(own.nextInt(MOST_MILLIS_BETWEEN_KILLS)));
                    kills.addAndGet(servers.killAndReplace(own));
                    starts.values().forEach(start -> start.repeat(own));
                }
            } catch (InterruptedException e) {
                // all runs have been read
            } catch (IOException | RuntimeException e) {
                fault("hung", "servers cannot be replaced: " + e);
            }
        });
    }

    private void check() {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(place.open())
                .providers()
                .wakeups(Wakeups.off())
                .build()) {
            List<RunRecord> roots = runtime.runs(RunFilter.ROOTS.limit(10 + 2 * runs));
            if (roots.size() != runs) {
                fault(roots.size() < runs ? "lost" : "doubled", roots.size() + " runs are stored of " + runs);
            }
            roots.stream()
                    .filter(run -> run.status() != RunStatus.COMPLETED)
                    .forEach(run -> fault("lost", run.runId() + " is " + run.status()));
            readers.forEach((run, streams) -> {
                List<String> stored = Received.stored(runtime, run);
                streams.forEach(stream -> stream.check(stored));
            });
        }
        checkEffects();
    }

    /** Each booking has one key, and each signature, which may not be repeated, happened once. */
    private void checkEffects() {
        Map<String, List<OutsideLedger.Effect>> effects = new OutsideLedger(ledger).bySubject();
        for (int number = 0; number < runs; number++) {
            for (String slot : ServerCrew.SLOTS) {
                String subject = ServerCrew.subject("task-" + number, slot);
                List<OutsideLedger.Effect> own = effects.getOrDefault(subject, List.of());
                long keys =
                        own.stream().map(OutsideLedger.Effect::key).distinct().count();
                boolean isOnce = slot.equals(ServerCrew.SLOTS.getLast());
                if (own.isEmpty()) {
                    fault("lost", subject + " has no effect");
                } else if (keys != 1 || (isOnce && own.size() != 1)) {
                    fault("doubled", subject + " had " + own.size() + " effects under " + keys + " keys");
                }
            }
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, again + ": " + what);
    }
}
