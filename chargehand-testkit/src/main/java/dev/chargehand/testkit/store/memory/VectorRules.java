package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.OTHER_SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.found;
import static dev.chargehand.testkit.store.memory.MemorySamples.index;
import static dev.chargehand.testkit.store.memory.MemorySamples.passage;
import static dev.chargehand.testkit.store.memory.MemorySamples.query;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Vectors and the range of the messages that have them are stored together, and go where their messages go. */
public interface VectorRules extends HasMemory {

    /** A range after a failed attempt. */
    IndexedRange FAILED = new IndexedRange(2, 5, 3, Instant.parse("2026-02-03T04:05:06.007Z"));

    @Test
    default void aThreadHasNoRangeUntilItHasVectors() {
        MemoryStore memory = memory();
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE), "of a missing thread");
        say(store(), "t", ANN, 5);
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE));

        assertTrue(memory.index(ANN, "t", SPACE, Optional.empty(), FAILED, List.of()));

        assertEquals(Optional.of(FAILED), memory.indexed(ANN, "t", SPACE));
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", OTHER_SPACE));
    }

    @Test
    default void ofTwoWritersThatSawOneRangeOneStoresItsVectors() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 5);
        Optional<IndexedRange> none = Optional.empty();
        assertTrue(memory.index(ANN, "t", SPACE, none, IndexedRange.of(0, 1), List.of(passage(0, 10))));
        assertFalse(memory.index(ANN, "t", SPACE, none, IndexedRange.of(0, 2), List.of(passage(1, 0))));
        assertEquals(List.of("t 0"), found(memory, ANN));

        Optional<IndexedRange> first = memory.indexed(ANN, "t", SPACE);
        assertTrue(memory.index(ANN, "t", SPACE, first, IndexedRange.of(0, 3), List.of(passage(2, 20))));
        assertFalse(memory.index(ANN, "t", SPACE, first, IndexedRange.of(0, 4), List.of(passage(3, 0))));

        assertEquals(Optional.of(IndexedRange.of(0, 3)), memory.indexed(ANN, "t", SPACE));
        assertEquals(List.of("t 0", "t 2"), found(memory, ANN));
    }

    @Test
    default void aRangeThatDiffersInAnyPartIsAnotherOne() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 5);
        assertTrue(memory.index(ANN, "t", SPACE, Optional.empty(), FAILED, List.of()));

        for (IndexedRange other : List.of(
                new IndexedRange(1, 5, 3, FAILED.retryAt()),
                new IndexedRange(2, 4, 3, FAILED.retryAt()),
                new IndexedRange(2, 5, 2, FAILED.retryAt()),
                new IndexedRange(2, 5, 3, START),
                new IndexedRange(2, 5, 3, null))) {
            assertFalse(
                    memory.index(ANN, "t", SPACE, Optional.of(other), IndexedRange.of(0, 5), List.of(passage(0, 0))));
        }
        assertEquals(Optional.of(FAILED), memory.indexed(ANN, "t", SPACE));
        assertEquals(List.of(), found(memory, ANN));

        IndexedRange next = IndexedRange.of(1, 5);
        assertTrue(memory.index(ANN, "t", SPACE, Optional.of(FAILED), next, List.of()));
        assertTrue(memory.index(ANN, "t", SPACE, Optional.of(next), FAILED, List.of()));
        assertEquals(Optional.of(FAILED), memory.indexed(ANN, "t", SPACE));
    }

    @Test
    default void aPassageThatIsStoredTwiceIsThereOnce() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        index(memory, ANN, "t", passage(0, 60), passage(0, 0));
        index(memory, ANN, "t", passage(0, 0), passage(1, 90));

        List<Double> scores = memory.nearest(query(ANN)).hits().stream()
                .map(hit -> hit.score())
                .toList();
        assertEquals(0.5, scores.getFirst(), 0.01, "the first one stays");
        assertEquals(2, memory.deleteVectors(ANN, SPACE));
    }

    @Test
    default void theVectorOfAMissingMessageIsLeftOut() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);

        index(memory, ANN, "t", passage(0, 0), passage(1, 0));

        assertEquals(List.of("t 0"), found(memory, ANN));
    }

    @Test
    default void aVectorOfAnotherSizeIsRejected() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        Passage large = new Passage(0, 0, UnitVector.of(new float[] {1, 2, 3}).orElseThrow());

        assertThrows(
                IllegalArgumentException.class,
                () -> memory.index(ANN, "t", SPACE, Optional.empty(), IndexedRange.of(0, 1), List.of(large)));

        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE));
    }

    @Test
    default void vectorsOfAMissingThreadAreRejected() {
        MemoryStore memory = memory();
        StoreException missing = assertThrows(
                StoreException.class,
                () -> memory.index(ANN, "t", SPACE, Optional.empty(), IndexedRange.of(0, 1), List.of(passage(0, 0))));
        assertEquals(StoreException.Kind.NOT_FOUND, missing.kind());
    }

    @Test
    default void aDeletedThreadLeavesNoVectorAndNoRange() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        say(store(), "u", ANN, 1);
        index(memory, ANN, "t", passage(0, 0), passage(1, 0));
        index(memory, ANN, "u", passage(0, 0));

        assertTrue(store().deleteThread("t", ANN));

        assertEquals(List.of("u 0"), found(memory, ANN));
        assertThrows(StoreException.class, () -> index(memory, ANN, "t", passage(0, 0)));
        say(store(), "t", ANN, 2);
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE));
        assertEquals(List.of("u 0"), found(memory, ANN));
        assertEquals(1, memory.deleteVectors(ANN, SPACE));
    }

    @Test
    default void aCopyHasTheVectorsOfTheMessagesThatWereCopied() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 6);
        Passage[] passages = {passage(1, 10), new Passage(1, 1, MemorySamples.at(40)), passage(3, 30), passage(4, 0)};
        assertTrue(
                memory.index(ANN, "t", SPACE, Optional.empty(), new IndexedRange(1, 5, 2, START), List.of(passages)));

        assertTrue(store().copyThread(
                        "t", 4, ThreadRecord.builder("part", ANN, START).build()));
        assertTrue(store().copyThread(
                        "t",
                        Long.MAX_VALUE,
                        ThreadRecord.builder("all", ANN, START).build()));
        assertTrue(store().copyThread(
                        "t", 1, ThreadRecord.builder("none", ANN, START).build()));

        assertEquals(Optional.of(IndexedRange.of(1, 4)), memory.indexed(ANN, "part", SPACE));
        assertEquals(Optional.of(IndexedRange.of(1, 5)), memory.indexed(ANN, "all", SPACE));
        assertEquals(Optional.empty(), memory.indexed(ANN, "none", SPACE));
        assertEquals(Optional.of(new IndexedRange(1, 5, 2, START)), memory.indexed(ANN, "t", SPACE));
        assertEquals(List.of("part 1", "part 3"), foundIn("part"));
        assertEquals(List.of("all 4", "all 1", "all 3"), foundIn("all"));
        assertEquals(List.of(), foundIn("none"));
        assertEquals(11, memory.deleteVectors(ANN, SPACE), "4 of the thread, 3 and 4 of its copies");
    }

    @Test
    default void theVectorsOfACopyBelongToItsOwner() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        say(store(), "bobs", BOB, 1);
        index(memory, ANN, "t", passage(0, 0), passage(1, 10));
        index(memory, BOB, "bobs", passage(0, 20));
        ThreadOwner carl = ThreadOwner.of("carl");

        for (ThreadOwner owner : List.of(BOB, carl)) {
            ThreadRecord copy = ThreadRecord.builder("of " + owner.resourceId(), owner, START)
                    .build();
            assertTrue(store().copyThread(new ThreadRecord.Source("t", ANN), 9, copy));
        }

        assertEquals(List.of("t 0", "t 1"), found(memory, ANN));
        assertEquals(List.of("of bob 0", "of bob 1", "bobs 0"), found(memory, BOB));
        assertEquals(List.of("of carl 0", "of carl 1"), found(memory, carl));
        assertEquals(Optional.of(IndexedRange.of(0, 2)), memory.indexed(carl, "of carl", SPACE));
        assertEquals(2, memory.deleteVectors(ANN, SPACE));
        assertEquals(List.of("of carl 0", "of carl 1"), found(memory, carl));
    }

    private List<String> foundIn(String thread) {
        return found(memory().nearest(query(ANN, new PassageQuery.Among(thread, null, 0))));
    }

    @Test
    default void theVectorsOfAnOwnerInASpaceAreDeletedAndNoOthers() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        say(store(), "u", ANN, 1);
        say(store(), "v", BOB, 1);
        index(memory, ANN, "t", passage(0, 0));
        index(memory, ANN, "u", passage(0, 0));
        index(memory, ANN, "u", OTHER_SPACE, passage(0, 0));
        index(memory, BOB, "v", passage(0, 0));

        assertEquals(2, memory.deleteVectors(ANN, SPACE));

        assertEquals(List.of(), found(memory, ANN));
        assertEquals(List.of("v 0"), found(memory, BOB));
        assertEquals(Optional.empty(), memory.indexed(ANN, "u", SPACE));
        assertEquals(Optional.of(IndexedRange.of(0, 1)), memory.indexed(ANN, "u", OTHER_SPACE));
        assertEquals(Optional.of(IndexedRange.of(0, 1)), memory.indexed(BOB, "v", SPACE));
        assertEquals(0, memory.deleteVectors(ANN, SPACE));
        assertEquals(1, memory.deleteVectors(ANN, OTHER_SPACE));
        index(memory, ANN, "t", passage(0, 0));
        assertEquals(List.of("t 0"), found(memory, ANN));
    }
}
