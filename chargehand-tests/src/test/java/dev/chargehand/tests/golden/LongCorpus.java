package dev.chargehand.tests.golden;

import dev.chargehand.IdleStream;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Writes the cases of the corpus whose runs wait in their middle and continue, or are followed by others: as they are each time that their process is gone
 * between two of their facts, up to their end.
 */
final class LongCorpus {

    private static final Instant THEN = Instant.parse("2026-01-05T09:00:00Z");
    private static final int MANY = 500;

    private final Sink sink;

    /** Takes what is to be saved. */
    interface Sink {
        void save(String name, Case asked, Recording recording, Map<String, String> readers);
    }

    /** Tells whether a case is written here. */
    static boolean has(Case asked) {
        return asked.isWorkflow() || asked.isConversation() || asked == Case.REPLIED;
    }

    LongCorpus(Sink sink) {
        this.sink = sink;
    }

    void write(Case asked) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        play(asked, counted);
        save(asked, counted, CorpusWriter.nameOf(asked));
        int appends = counted.count(FaultyStore.Operation.APPEND);
        for (int append = 2; append <= appends; append++) {
            InMemoryStore store = InMemoryStore.keepingEndedRuns();
            FaultyStore dying = FaultyStore.over(store);
            IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            playUntil(append, asked, dying);
            save(asked, store, CorpusWriter.nameOf(asked) + "-killed-" + append);
        }
    }

    /** Nothing is stored from that append on, so a caller who waits for more is left alone. */
    private static void playUntil(int append, Case asked, FaultyStore dying) {
        Thread playing = Thread.ofVirtual().start(() -> {
            try {
                play(asked, dying);
            } catch (ChargehandException e) {
                // its store is gone
            }
        });
        while (playing.isAlive() && dying.count(FaultyStore.Operation.APPEND) < append) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void save(Case asked, Store store, String name) {
        if (asked.isConversation()) {
            sink.save(name, asked, Roots.collect(store), Roots.readers(store));
            return;
        }
        RunRecord root = store.list(RunFilter.ROOTS).getFirst();
        if (!root.status().isEnded() || !name.contains("killed")) {
            sink.save(name, asked, Recording.of(store, root.runId()), Map.of());
        }
    }

    /** In a process of its own: its end leaves the task and the turn after it to the next one. */
    private static void firstTurn(Case asked, TestRuntime.Builder process) {
        try (TestRuntime test = process.build();
                IdleStream stream = test.agent("lead").streamUntilIdle(asked.task(), asked.options())) {
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    return;
                }
            }
        }
    }

    private static void play(Case asked, Store store) {
        AtomicLong count = new AtomicLong();
        IdSource ids = kind -> kind + count.incrementAndGet();
        ManualClock clock = new ManualClock(THEN);
        if (asked == Case.UNTIL_IDLE) {
            firstTurn(asked, Going.runtime(asked, store, ids, clock));
            store.heartbeat(Roots.of(store).getFirst().owner(), Duration.ZERO); // its process is gone
            clock.advance(Duration.ofMinutes(1));
        }
        try (TestRuntime test = Going.runtime(asked, store, ids, clock).build()) {
            if (asked.isConversation()) {
                List<Ending> ignored = new Turns(test, asked, clock).play();
            } else if (asked.isWorkflow()) {
                RunResult first = test.runtime()
                        .start(CorpusWorkflow.of(asked), asked.task(), asked.options())
                        .result();
                if (asked == Case.WORKFLOW_CANCELLED) {
                    boolean ignored = test.runtime().cancel(first.runId());
                } else {
                    Going.toTheEnd(test, asked, clock, first, result -> {});
                }
            } else {
                RunId waiting = test.agent("boss")
                        .generate(asked.task(), asked.options())
                        .runId();
                RunResult replied = test.agent("boss")
                        .generate("look:42", asked.options().andThen(o -> o.autoResumeSuspendedTools(true)));
                if (!replied.runId().equals(waiting)) {
                    throw new IllegalStateException("The message was not the answer.");
                }
            }
        }
    }
}
