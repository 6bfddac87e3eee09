package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.observation;
import static dev.chargehand.testkit.store.memory.MemorySamples.observed;
import static dev.chargehand.testkit.store.memory.MemorySamples.passage;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflection;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What many workers at once may rely on. */
interface MemoryConcurrencyRules extends HasMemory {

    /** How many workers there are. */
    int WORKERS = 8;

    /** How often each of them writes. */
    int EDITS = 25;

    @Test
    default void noEditOfManyWritersIsLost() throws Exception {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);

        together(worker -> () -> {
            @Nullable String thread = worker % 2 == 0 ? null : "t";
            for (int i = 0; i < EDITS; i++) {
                String word = "[" + worker + " " + i + "]";
                while (!isStored(memory, thread, word)) {
                    // Another writer was faster.
                }
            }
            return worker;
        });

        for (@Nullable String thread : new @Nullable String[] {null, "t"}) {
            WorkingMemoryRevision newest = memory.workingMemory(ANN, thread).orElseThrow();
            assertEquals(WORKERS / 2 * EDITS, newest.revision());
            List<String> expected = IntStream.range(0, WORKERS)
                    .filter(worker -> (worker % 2 == 0) == (thread == null))
                    .boxed()
                    .flatMap(worker -> IntStream.range(0, EDITS).mapToObj(i -> "[" + worker + " " + i))
                    .sorted()
                    .toList();
            assertEquals(
                    expected,
                    List.of(newest.text().split("]")).stream().sorted().toList());
        }
    }

    private static boolean isStored(MemoryStore memory, @Nullable String thread, String word) {
        Optional<WorkingMemoryRevision> newest = memory.workingMemory(ANN, thread);
        WorkingMemoryEdit edit = memory.edit(
                ANN,
                thread,
                newest.map(WorkingMemoryRevision::revision).orElse(0L),
                word,
                newest.map(WorkingMemoryRevision::text).orElse("") + word,
                START);
        return switch (edit) {
            case WorkingMemoryEdit.Stored stored -> true;
            case WorkingMemoryEdit.Conflict conflict -> false;
            case WorkingMemoryEdit.Known known ->
                throw new AssertionError("No other caller uses the key " + word + ".");
        };
    }

    @Test
    default void oneOfManyWritersOfOneKeyStoresItsText() throws Exception {
        MemoryStore memory = memory();
        for (int round = 0; round < EDITS; round++) {
            String key = "key " + round;
            long expected = round;

            List<WorkingMemoryEdit> edits =
                    together(worker -> () -> memory.edit(ANN, null, expected, key, "text of " + worker, START));

            assertEquals(
                    1,
                    edits.stream()
                            .filter(WorkingMemoryEdit.Stored.class::isInstance)
                            .count(),
                    edits::toString);
            assertEquals(
                    WORKERS - 1,
                    edits.stream()
                            .filter(new WorkingMemoryEdit.Known(expected + 1)::equals)
                            .count(),
                    edits::toString);
        }
    }

    @Test
    default void ofManyWhoIndexAThreadOneMovesItsRangeAtATime() throws Exception {
        MemoryStore memory = memory();
        int messages = 40;
        say(store(), "t", ANN, messages);
        ConcurrentLinkedQueue<Long> moved = new ConcurrentLinkedQueue<>();

        together(worker -> () -> {
            long high = 0;
            while (high < messages) {
                Optional<IndexedRange> before = memory.indexed(ANN, "t", SPACE);
                high = before.map(IndexedRange::high).orElse(0L);
                if (high < messages
                        && memory.index(
                                ANN,
                                "t",
                                SPACE,
                                before,
                                IndexedRange.of(0, high + 1),
                                List.of(passage(high, worker)))) {
                    moved.add(high);
                }
            }
            return worker;
        });

        assertEquals(
                IntStream.range(0, messages).mapToObj(i -> (long) i).toList(),
                moved.stream().sorted().toList());
        assertEquals(messages, memory.deleteVectors(ANN, SPACE));
    }

    @Test
    default void observationsOfManyWritersFollowEachOther() throws Exception {
        MemoryStore memory = memory();
        int messages = 300;
        say(store(), "t", ANN, messages);
        ConcurrentLinkedQueue<Observation> stored = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Long> reflections = new ConcurrentLinkedQueue<>();

        together(worker -> () -> {
            ObservationLog log = memory.observations(ANN, "t");
            for (; log.end() < messages; log = memory.observations(ANN, "t")) {
                assertContiguous(log);
                long from = log.end();
                long to = Math.min(from + 1 + worker % 3, messages);
                memory.observe(ANN, "t", observation(from, to))
                        .ifPresent(number -> stored.add(observed(number, from, to)));
                if (log.observations().size() > 5) {
                    memory.reflect(ANN, "t", reflection(log.newest())).ifPresent(reflections::add);
                }
            }
            return worker;
        });

        List<Observation> inOrder = stored.stream()
                .sorted(Comparator.comparingLong(Observation::from))
                .toList();
        assertContiguous(new ObservationLog(inOrder));
        assertEquals(messages, inOrder.getLast().to());
        assertEquals(
                inOrder,
                stored.stream()
                        .sorted(Comparator.comparingLong(Observation::number))
                        .toList());
        assertEquals(
                LongStream.rangeClosed(1, stored.size() + reflections.size())
                        .boxed()
                        .toList(),
                Stream.concat(stored.stream().map(Observation::number), reflections.stream())
                        .sorted()
                        .toList());
        assertContiguous(memory.observations(ANN, "t"));
        assertTrue(memory.observations(ANN, "t").observations().getFirst().isReflection());
    }

    private static void assertContiguous(ObservationLog log) {
        long end = 0;
        for (Observation observation : log.observations()) {
            assertEquals(end, observation.from(), log::toString);
            end = observation.to();
        }
    }

    @Test
    default void anObservationThatArrivesWhileAMessageIsDeletedIsNotLeft() throws Exception {
        MemoryStore memory = memory();
        for (int round = 0; round < 20; round++) {
            String thread = "t" + round;
            say(store(), thread, ANN, 4);
            Deletion deletion = new Deletion.MessagesOfThread(thread, ANN, Set.of("m1"), Set.of());

            together(worker -> () -> worker == 0
                    ? store().delete(deletion) == 1
                    : memory.observe(ANN, thread, observation(0, 2)).isPresent()
                            && memory.reflect(ANN, thread, reflection(1)).isPresent());

            assertEquals(ObservationLog.EMPTY, memory.observations(ANN, thread));
        }
    }

    @Test
    default void oneOfManyWorkersTakesAThread() throws Exception {
        MemoryStore memory = memory();
        for (int round = 0; round < 10; round++) {
            String thread = "t" + round;
            say(store(), thread, ANN, 1, "boss", START);

            List<Boolean> taken =
                    together(worker -> () -> memory.take(ANN, thread, "worker " + worker, Duration.ofHours(1)));

            assertEquals(1, taken.stream().filter(each -> each).count());
        }
    }

    @Test
    default void vectorsThatArriveWhileTheirThreadIsDeletedLeaveNothing() throws Exception {
        MemoryStore memory = memory();
        for (int round = 0; round < 10; round++) {
            String thread = "t" + round;
            say(store(), thread, ANN, WORKERS);

            together(worker -> () -> worker == 0 ? store().deleteThread(thread, ANN) : writes(memory, thread, worker));

            assertEquals(0, memory.deleteVectors(ANN, SPACE));
            say(store(), thread, ANN, 1);
            assertEquals(Optional.empty(), memory.indexed(ANN, thread, SPACE));
            assertEquals(Optional.empty(), memory.workingMemory(ANN, thread));
            assertEquals(ObservationLog.EMPTY, memory.observations(ANN, thread));
        }
    }

    private static boolean writes(MemoryStore memory, String thread, int worker) {
        OptionalLong ignored = memory.observe(ANN, thread, observation(0, worker));
        try {
            WorkingMemoryEdit edit = memory.edit(ANN, thread, 0, "key " + worker, "text", START);
            return memory.index(
                            ANN,
                            thread,
                            SPACE,
                            memory.indexed(ANN, thread, SPACE),
                            IndexedRange.of(0, worker + 1),
                            List.of(passage(worker, 0)))
                    && edit instanceof WorkingMemoryEdit.Stored;
        } catch (StoreException missing) {
            assertEquals(StoreException.Kind.NOT_FOUND, missing.kind());
            return false;
        }
    }

    /** Lets all workers start at once, and returns what they return. */
    private static <T> List<T> together(IntFunction<Callable<T>> works) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = IntStream.range(0, WORKERS)
                    .mapToObj(works)
                    .map(work -> threads.submit(() -> {
                        start.await();
                        return work.call();
                    }))
                    .toList();
            start.countDown();
            for (Future<T> each : running) {
                results.add(each.get(10, TimeUnit.MINUTES));
            }
        }
        return results;
    }
}
