package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Does random things with the observations of a few threads, and compares each log with a list of all rows. */
final class RandomObservations {

    private static final int THREADS = 4;

    /** An operation shows in its own thread at once; that it changed no other one is seen a few operations later. */
    private static final int ALL_COMPARED_EVERY = 10;

    private final SplittableRandom random;
    private final Supplier<@Nullable String> seed;
    private final Store store;
    private final MemoryStore memory;
    private final Map<String, Made> threads = new TreeMap<>();

    RandomObservations(Store store, long seed) {
        this.random = new SplittableRandom(seed);
        this.seed = () -> "with -Dchargehand.seed=" + seed;
        this.store = store;
        this.memory = store.memory().orElseThrow();
    }

    /** A thread with all its rows, deleted ones too. */
    private static final class Made {
        private long length;
        private final Set<Long> deletedMessages = new TreeSet<>();
        private final List<Observation> rows = new ArrayList<>();
        private final Set<Long> deletedRows = new TreeSet<>();

        /** The greatest number of the thread that it is a copy of. */
        private long greatest;

        private List<Observation> live(long number) {
            return rows.stream()
                    .filter(row -> row.number() <= number && !deletedRows.contains(row.number()))
                    .toList();
        }

        private List<Observation> log(long number) {
            Observation reflection = live(number).stream()
                    .filter(Observation::isReflection)
                    .max(Comparator.comparingLong(Observation::number))
                    .orElse(null);
            Long replaces = reflection == null ? null : reflection.replaces();
            long after = replaces == null ? 0 : replaces;
            return live(number).stream()
                    .filter(row -> row.isReflection() ? row.equals(reflection) : row.number() > after)
                    .sorted(Comparator.comparingLong(Observation::from))
                    .toList();
        }

        private long end(long number) {
            return live(number).stream()
                    .filter(row -> !row.isReflection())
                    .mapToLong(Observation::to)
                    .max()
                    .orElse(0);
        }

        private long next() {
            return rows.stream().mapToLong(Observation::number).reduce(greatest, Math::max) + 1;
        }

        private List<String> ids(long from, long to) {
            return LongStream.range(from, Math.min(to, length))
                    .filter(position -> !deletedMessages.contains(position))
                    .mapToObj(position -> "m" + position)
                    .toList();
        }
    }

    /** Do so many things, one after the other. */
    void run(int operations) {
        for (int i = 0; i < operations; i++) {
            String thread = "t" + random.nextInt(THREADS);
            Made made = threads.computeIfAbsent(thread, id -> {
                say(store, id, ANN, 1);
                Made first = new Made();
                first.length = 1;
                return first;
            });
            operate(thread, made);
            if (i % ALL_COMPARED_EVERY == 0 || i == operations - 1) {
                threads.forEach(this::compare);
            } else if (threads.containsKey(thread)) {
                compare(thread, threads.get(thread));
            }
        }
    }

    private void operate(String thread, Made made) {
        switch (random.nextInt(20)) {
            case 0 -> {
                assertTrue(store.deleteThread(thread, ANN), seed);
                threads.remove(thread);
            }
            case 1 -> copy(thread, made);
            case 2, 3 -> deleteMessage(thread, made);
            case 4, 5, 6, 7 -> reflect(thread, made);
            case 8, 9, 10, 11, 12 -> {
                int messages = random.nextInt(1, 6);
                say(store, thread, ANN, messages);
                made.length += messages;
            }
            default -> observe(thread, made);
        }
    }

    private void observe(String thread, Made made) {
        long from = Math.max(0, made.end(Long.MAX_VALUE) + (random.nextInt(5) == 0 ? random.nextInt(-2, 3) : 0));
        long to = from + random.nextInt(1, 6);
        List<String> ids = new ArrayList<>(made.ids(from, to));
        if (!ids.isEmpty() && random.nextInt(8) == 0) {
            ids.removeLast();
        }
        boolean fits = from == made.end(Long.MAX_VALUE) && to <= made.length && ids.equals(made.ids(from, to));
        String text = "text " + random.nextLong();
        OptionalLong number = memory.observe(ANN, thread, new NewObservation(from, to, ids, text, 1, START));
        assertEquals(fits ? OptionalLong.of(made.next()) : OptionalLong.empty(), number, seed);
        if (fits) {
            made.rows.add(new Observation(made.next(), from, to, null, text, 1, START));
        }
    }

    private void reflect(String thread, Made made) {
        long replaces = random.nextLong(1, made.next() + 1);
        List<Observation> live = made.live(Long.MAX_VALUE);
        boolean fits = live.stream().anyMatch(row -> row.number() == replaces)
                && live.stream().noneMatch(row -> row.isReflection() && row.number() > replaces);
        String text = "reflection " + random.nextLong();
        OptionalLong number = memory.reflect(ANN, thread, new NewReflection(replaces, text, 2, START));
        assertEquals(fits ? OptionalLong.of(made.next()) : OptionalLong.empty(), number, seed);
        if (fits) {
            made.rows.add(new Observation(made.next(), 0, made.end(replaces), replaces, text, 2, START));
        }
    }

    private void deleteMessage(String thread, Made made) {
        long position = random.nextLong(made.length);
        int deleted = store.delete(new Deletion.MessagesOfThread(thread, ANN, Set.of("m" + position), Set.of()));
        assertEquals(made.deletedMessages.add(position) ? 1 : 0, deleted, seed);
        if (deleted == 1) {
            made.rows.stream().filter(row -> row.to() > position).forEach(row -> made.deletedRows.add(row.number()));
        }
    }

    private void copy(String thread, Made made) {
        String to = "t" + random.nextInt(THREADS);
        if (!to.equals(thread)) {
            assertEquals(threads.remove(to) != null, store.deleteThread(to, ANN), seed);
        }
        long before = random.nextLong(1, made.length + 1);
        boolean copied = store.copyThread(
                thread, before, ThreadRecord.builder(to, ANN, START).build());
        assertEquals(!threads.containsKey(to), copied, seed);
        if (copied) {
            Made copy = new Made();
            copy.length = before;
            copy.greatest = made.next() - 1;
            made.deletedMessages.stream().filter(position -> position < before).forEach(copy.deletedMessages::add);
            made.live(Long.MAX_VALUE).stream().filter(row -> row.to() <= before).forEach(copy.rows::add);
            threads.put(to, copy);
        }
    }

    private void compare(String thread, Made made) {
        List<Observation> log = memory.observations(ANN, thread).observations();
        assertEquals(made.log(Long.MAX_VALUE), log, seed);
        long number = random.nextLong(made.next() + 1);
        assertEquals(made.log(number), memory.observations(ANN, thread, number).observations(), seed);
        long end = 0;
        for (Observation row : log) {
            assertEquals(end, row.from(), seed);
            end = row.to();
        }
        assertEquals(made.end(Long.MAX_VALUE), end, seed);
        assertEquals(
                !made.live(Long.MAX_VALUE).isEmpty(),
                memory.observedThreads(ANN, 9).contains(thread),
                seed);
    }
}
