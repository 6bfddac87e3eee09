package dev.chargehand.testkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Short ways to write and read what the rules of memory are about. */
final class MemorySamples {

    static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");
    static final ThreadOwner ANN = new ThreadOwner("ann", null);
    static final ThreadOwner BOB = new ThreadOwner("bob", null);
    static final VectorSpace SPACE = new VectorSpace("test/model", 2, 1);
    static final VectorSpace OTHER_SPACE = new VectorSpace("test/model", 2, 2);

    private MemorySamples() {}

    /** Append messages to a thread, each a second later than the one before. */
    static void say(Store store, String thread, ThreadOwner owner, int messages) {
        say(store, thread, owner, messages, null, START);
    }

    /** Append messages to a thread, which has memory work to do then if an agent is named. */
    static ThreadRecord say(
            Store store, String thread, ThreadOwner owner, int messages, @Nullable String memoryOf, Instant at) {
        long length = store.findThread(thread).map(ThreadRecord::length).orElse(0L);
        List<ThreadEntry> entries = new ArrayList<>();
        for (long i = length; i < length + messages; i++) {
            entries.add(new ThreadEntry("m" + i, "\"text " + i + '"', i, at.plusSeconds(i)));
        }
        return store.appendToThread(new ThreadAppend(thread, owner, null, null, entries).memoryOf(memoryOf), at);
    }

    /** Return the vector at an angle to that of {@link #query}. */
    static UnitVector at(int degrees) {
        double angle = Math.toRadians(degrees);
        return UnitVector.of(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)})
                .orElseThrow();
    }

    static Passage passage(long position, int degrees) {
        return new Passage(position, 0, at(degrees));
    }

    /** Store vectors of a thread of which no range is known yet. */
    static void index(MemoryStore memory, ThreadOwner owner, String thread, Passage... passages) {
        index(memory, owner, thread, SPACE, passages);
    }

    static void index(MemoryStore memory, ThreadOwner owner, String thread, VectorSpace space, Passage... passages) {
        long high = Stream.of(passages).mapToLong(Passage::position).max().orElse(-1) + 1;
        assertTrue(memory.index(
                owner,
                thread,
                space,
                memory.indexed(owner, thread, space),
                IndexedRange.of(0, high),
                List.of(passages)));
    }

    static PassageQuery query(ThreadOwner owner) {
        return query(owner, PassageQuery.Among.ALL);
    }

    static PassageQuery query(ThreadOwner owner, PassageQuery.Among among) {
        return new PassageQuery(owner, SPACE, at(0), among, 10, -1);
    }

    static List<String> found(MemoryStore memory, ThreadOwner owner) {
        return found(memory.nearest(query(owner)));
    }

    /** Return hits as the thread and the position of each. */
    static List<String> found(PassageHits hits) {
        return hits.hits().stream()
                .map(hit -> hit.threadId() + " " + hit.position())
                .toList();
    }

    /** Return an observation of messages that {@link #say} appended, without those that the model did not see. */
    static NewObservation observation(long from, long to, String... notSeen) {
        List<String> ids = new ArrayList<>();
        for (long i = from; i < to; i++) {
            ids.add("m" + i);
        }
        ids.removeAll(List.of(notSeen));
        return new NewObservation(from, to, ids, "of " + from + " to " + to, (int) (to - from), START.plusSeconds(to));
    }

    /** Return the row of an observation of {@link #observation}. */
    static Observation observed(long number, long from, long to) {
        NewObservation stored = observation(from, to);
        return new Observation(number, from, to, null, stored.text(), stored.tokens(), stored.at());
    }

    /** Store observations from one position to the next one. */
    static void observe(MemoryStore memory, ThreadOwner owner, String thread, long... positions) {
        for (int i = 1; i < positions.length; i++) {
            assertTrue(memory.observe(owner, thread, observation(positions[i - 1], positions[i]))
                    .isPresent());
        }
    }

    /** Return a reflection of all up to a number. */
    static NewReflection reflection(long replaces) {
        return new NewReflection(replaces, "up to " + replaces, 5, START.plusMillis(replaces));
    }

    /** Return the row of a reflection of {@link #reflection}. */
    static Observation reflected(long number, long to, long replaces) {
        NewReflection stored = reflection(replaces);
        return new Observation(number, 0, to, replaces, stored.text(), stored.tokens(), stored.at());
    }

    static Optional<String> text(Optional<WorkingMemoryRevision> revision) {
        return revision.map(WorkingMemoryRevision::text);
    }
}
