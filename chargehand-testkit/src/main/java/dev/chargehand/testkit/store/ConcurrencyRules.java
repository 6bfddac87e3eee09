package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What many callers at once may rely on. */
interface ConcurrencyRules extends HasStore {

    /** How many callers there are. */
    int CALLERS = 50;

    /** How often each of them writes. */
    int TURNS = 10;

    @Test
    default void runsThatShareAThreadLoseNothingAndKeepTheirOrder() throws Exception {
        at(CALLERS, caller -> () -> {
            String run = "run-" + caller;
            store().append(with(start(run, fact(run + " 0")), toThread("shared", ANN, run + " 0")));
            for (int turn = 1; turn < TURNS; turn++) {
                String text = run + " " + turn;
                store().append(with(more(run, 1, turn, fact(text)), toThread("shared", ANN, text)));
            }
            return run;
        });

        List<String> shared = messageIds(store(), "shared", ANN);
        assertEquals(CALLERS * TURNS, shared.size());
        assertEquals(CALLERS * TURNS, new HashSet<>(shared).size());
        assertEquals(CALLERS * TURNS, store().findThread("shared").orElseThrow().length());
        for (int caller = 0; caller < CALLERS; caller++) {
            String run = "run-" + caller;
            List<String> written =
                    IntStream.range(0, TURNS).mapToObj(turn -> run + " " + turn).toList();
            assertEquals(
                    written,
                    shared.stream().filter(m -> m.startsWith(run + " ")).toList());
            assertEquals(written.stream().map(text -> '"' + text + '"').toList(), texts(store(), run));
        }
    }

    @Test
    default void oneOfManyClaimersWins() throws Exception {
        store().append(start("r", facts(1)));

        List<String> winners = winners(caller -> store().claim(id("r"), 1, 1, "process-" + caller));

        assertEquals(1, winners.size());
        assertEquals(
                "process-" + winners.getFirst(),
                store().find(id("r")).orElseThrow().owner());
        assertEquals(2, store().find(id("r")).orElseThrow().epoch());
    }

    @Test
    default void oneOfManyWritersAtOnePositionWins() throws Exception {
        store().append(start("r", facts(1)));

        List<String> winners = winners(caller -> store().append(more("r", 1, 1, fact(caller))));

        assertEquals(1, winners.size());
        assertEquals(List.of("\"fact 0\"", '"' + winners.getFirst() + '"'), texts(store(), "r"));
    }

    @Test
    default void oneOfManyStartersOfARunWins() throws Exception {
        List<String> winners = winners(caller -> store().append(start("r", fact(caller))));

        assertEquals(1, winners.size());
        assertEquals(List.of('"' + winners.getFirst() + '"'), texts(store(), "r"));
    }

    @Test
    default void oneOfManyRunsTakesAThread() throws Exception {
        store().heartbeat("process-1", Duration.ofHours(1));
        for (int turn = 0; turn < TURNS; turn++) {
            String thread = "thread-" + turn;
            List<String> winners = at(CALLERS, caller -> () -> {
                        RunId run = id(thread + " run-" + caller);
                        RunRecord record = RunRecord.builder(run, "boss", "process-1", Samples.START)
                                .threadId(thread)
                                .resourceId("ann")
                                .build();
                        try {
                            store().append(start(record, facts(1)).takesThread(true));
                            return run.value();
                        } catch (ThreadBusyException e) {
                            return "";
                        }
                    })
                    .stream()
                    .filter(winner -> !winner.isEmpty())
                    .toList();

            assertEquals(1, winners.size());
            assertEquals(
                    winners,
                    store().list(RunFilter.ALL.thread(thread)).stream()
                            .map(run -> run.runId().value())
                            .toList());
        }
    }

    @Test
    default void threadsWithOneLargeTextComeAndGoWithoutLosingIt() throws Exception {
        String large = '"' + "x".repeat(100_000) + '"';
        List<Boolean> kept = at(CALLERS / 5, caller -> () -> {
            String thread = "thread-" + caller;
            boolean all = true;
            for (int turn = 0; turn < TURNS; turn++) {
                ThreadAppend message = new ThreadAppend(thread, ANN, null, null, List.of(new ThreadEntry("m", large)));
                store().append(with(start("run-" + caller + "-" + turn), message));
                all &= store().readThread(thread, ANN, Long.MAX_VALUE, 1)
                        .getFirst()
                        .text()
                        .equals(large);
                all &= store().deleteThread(thread, ANN);
            }
            return all;
        });

        assertEquals(CALLERS / 5, kept.stream().filter(all -> all).count());
    }

    @Test
    default void aReaderSeesAllOfAnAppendOrNothing() throws Exception {
        store().append(start("r", fact("a"), fact("b")));
        AtomicBoolean done = new AtomicBoolean();
        List<Boolean> whole = at(4, caller -> () -> {
            if (caller == 0) {
                for (int turn = 1; turn < TURNS * TURNS; turn++) {
                    store().append(with(more("r", 1, turn * 2L, fact("a"), fact("b")), toThread("t", ANN, "m" + turn)));
                }
                done.set(true);
                return true;
            }
            boolean all = true;
            while (!done.get() && all) {
                List<FactEntry> read = store().read(new RunId("r"), 0);
                all = read.size() % 2 == 0;
            }
            return all;
        });

        assertEquals(List.of(true, true, true, true), whole);
        assertEquals(2 * TURNS * TURNS, store().read(id("r"), 0).size());
    }

    /** Let all callers try the same thing at once; returns who was not rejected. */
    private static List<String> winners(java.util.function.Consumer<String> attempt) throws Exception {
        List<String> outcomes = at(CALLERS, caller -> () -> {
            try {
                attempt.accept("" + caller);
                return "" + caller;
            } catch (StoreException e) {
                assertEquals(StoreException.Kind.FENCED, e.kind());
                return "";
            }
        });
        return outcomes.stream().filter(outcome -> !outcome.isEmpty()).toList();
    }

    /** Run tasks on virtual threads that start together, and return their results in order. */
    private static <T> List<T> at(int callers, IntFunction<Callable<T>> task) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                Callable<T> work = task.apply(caller);
                running.add(threads.submit(() -> {
                    assertTrue(go.await(1, TimeUnit.MINUTES));
                    return work.call();
                }));
            }
            go.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get(1, TimeUnit.MINUTES));
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("A caller failed.", e.getCause());
        }
    }
}
