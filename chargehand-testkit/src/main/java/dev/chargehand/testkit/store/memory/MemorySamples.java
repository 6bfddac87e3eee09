package dev.chargehand.testkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
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

    static Optional<String> text(Optional<WorkingMemoryRevision> revision) {
        return revision.map(WorkingMemoryRevision::text);
    }
}
