package dev.chargehand.tests.golden;

import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
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
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Writes the cases of the corpus whose runs wait in their middle and continue: as they are each time that their process is gone
 * between two of their facts, up to their end.
 */
final class LongCorpus {

    private static final Instant THEN = Instant.parse("2026-01-05T09:00:00Z");
    private static final int MANY = 500;

    private final Sink sink;

    /** Takes what is to be saved. */
    interface Sink {
        void save(String name, Case asked, Recording recording);
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
            try {
                play(asked, dying);
            } catch (ChargehandException e) {
                // its store is gone
            }
            save(asked, store, CorpusWriter.nameOf(asked) + "-killed-" + append);
        }
    }

    private void save(Case asked, Store store, String name) {
        RunRecord root = store.list(RunFilter.ROOTS).getFirst();
        if (!root.status().isEnded() || !name.contains("killed")) {
            sink.save(name, asked, Recording.of(store, root.runId()));
        }
    }

    private static void play(Case asked, Store store) {
        AtomicLong count = new AtomicLong();
        IdSource ids = kind -> kind + count.incrementAndGet();
        ManualClock clock = new ManualClock(THEN);
        try (TestRuntime test = Going.runtime(asked, store, ids, clock).build()) {
            if (asked.isWorkflow()) {
                RunResult first = test.runtime()
                        .start(CorpusWorkflow.workflow(), asked.task(), asked.options())
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
