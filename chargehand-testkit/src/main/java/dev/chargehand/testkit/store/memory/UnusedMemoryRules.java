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
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryEdit.Known;
import dev.chargehand.store.memory.WorkingMemoryEdit.Stored;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What memory does not need any more is deleted in parts, between which it can be used. */
public interface UnusedMemoryRules extends HasMemory {

    private int deleteVectors(Instant unusedSince, int limit) {
        return store().delete(new Deletion.UnusedVectors(unusedSince, limit));
    }

    private static Instant tomorrow() {
        return Instant.now().plus(Duration.ofDays(1));
    }

    /** Return a moment after all that was stored, when the next moment has come. */
    private static Instant afterAll() {
        Instant last = Instant.now();
        while (Instant.now().toEpochMilli() <= last.toEpochMilli()) {
            Thread.onSpinWait();
        }
        return Instant.ofEpochMilli(last.toEpochMilli() + 1);
    }

    @Test
    default void theVectorsOfASpaceThatIsNotUsedAreDeletedForAllTenants() {
        MemoryStore memory = memory();
        Store acme = store().forTenant("acme");
        MemoryStore memoryOfAcme = acme.memory().orElseThrow();
        say(store(), "t", ANN, 2);
        say(store(), "b", BOB, 1);
        say(acme, "t", ANN, 1);
        index(memory, ANN, "t", passage(0, 0), passage(1, 0));
        index(memory, BOB, "b", passage(0, 0));
        index(memoryOfAcme, ANN, "t", passage(0, 0));
        assertEquals(List.of("t 0", "t 1"), found(memory, ANN).stream().sorted().toList());
        Instant unusedSince = afterAll();
        index(memory, ANN, "t", OTHER_SPACE, passage(0, 0));

        assertEquals(0, deleteVectors(Instant.EPOCH, 99));
        assertEquals(0, deleteVectors(unusedSince, 0));
        assertEquals(0, deleteVectors(unusedSince, -1));

        assertEquals(4 + 3, deleteVectors(unusedSince, 99), "vectors and ranges");
        assertEquals(0, deleteVectors(unusedSince, 99));

        assertEquals(List.of(), found(memory, ANN));
        assertEquals(List.of(), found(memory, BOB));
        assertEquals(List.of(), found(memoryOfAcme, ANN));
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE));
        assertEquals(Optional.empty(), memoryOfAcme.indexed(ANN, "t", SPACE));
        assertEquals(Optional.of(IndexedRange.of(0, 1)), memory.indexed(ANN, "t", OTHER_SPACE));
        assertEquals(1, memory.deleteVectors(ANN, OTHER_SPACE));
    }

    /** A message of the range that lost a vector would not get it again. */
    @Test
    default void aMessageOfTheRangeHasItsVectorsAtAnyTime() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 6);
        say(store(), "u", ANN, 9);
        IndexedRange range = new IndexedRange(1, 6, 3, START);
        Passage[] passages = {
            passage(1, 0),
            new Passage(1, 1, MemorySamples.at(9)),
            new Passage(1, 2, MemorySamples.at(8)),
            passage(3, 0),
            passage(4, 0)
        };
        assertTrue(memory.index(ANN, "t", SPACE, Optional.empty(), range, List.of(passages)));
        assertTrue(memory.index(ANN, "u", SPACE, Optional.empty(), IndexedRange.of(0, 9), List.of()));

        int deleted = 0;
        int calls = 0;
        for (int last = deleteVectors(tomorrow(), 2); last > 0; last = deleteVectors(tomorrow(), 2)) {
            deleted += last;
            calls++;
            assertTrue(last <= 3, "limit, and what is left of the message");
            long low = memory.indexed(ANN, "t", SPACE).map(IndexedRange::low).orElse(6L);
            List<String> left = List.of("t 1", "t 3", "t 4").stream()
                    .filter(message -> Long.parseLong(message.substring(2)) >= low)
                    .toList();
            assertEquals(left, found(memory, ANN).stream().sorted().toList());
            memory.indexed(ANN, "t", SPACE)
                    .ifPresent(now -> assertEquals(new IndexedRange(low, 6, 3, START), now, "nothing else changes"));
        }

        assertEquals(5 + 2, deleted);
        assertTrue(calls > 2, "in parts: " + calls);
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", SPACE));
        assertEquals(Optional.empty(), memory.indexed(ANN, "u", SPACE));
    }

    @Test
    default void aSpaceIsUsedAgainAfterItsVectorsWereDeleted() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 3);
        index(memory, ANN, "t", passage(0, 0), passage(1, 0));
        Optional<IndexedRange> before = memory.indexed(ANN, "t", SPACE);
        assertEquals(3, deleteVectors(tomorrow(), 99));
        assertEquals(List.of(), found(memory, ANN), "a search is no error");
        assertTrue(store().copyThread(
                        "t", 2, ThreadRecord.builder("copy", ANN, START).build()));

        assertFalse(memory.index(ANN, "t", SPACE, before, IndexedRange.of(0, 3), List.of(passage(2, 0))));
        assertEquals(Optional.empty(), memory.indexed(ANN, "copy", SPACE));
        index(memory, ANN, "t", passage(2, 0));
        index(memory, ANN, "copy", passage(0, 0));

        assertEquals(
                List.of("copy 0", "t 2"), found(memory, ANN).stream().sorted().toList());
        assertEquals(4, deleteVectors(tomorrow(), 99), "and is unused again");
        assertEquals(List.of(), found(memory, ANN));
    }

    /** The range of a copy is as long as what the thread has left. */
    @Test
    default void aThreadThatHasLostAPartOfItsVectorsIsCopied() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 4);
        index(memory, ANN, "t", passage(0, 0), passage(1, 0), passage(2, 0), passage(3, 0));
        assertEquals(2, deleteVectors(tomorrow(), 2));

        assertTrue(store().copyThread(
                        "t", 3, ThreadRecord.builder("copy", ANN, START).build()));

        assertEquals(Optional.of(IndexedRange.of(2, 3)), memory.indexed(ANN, "copy", SPACE));
        assertEquals(List.of("copy 2"), found(memory.nearest(query(ANN, new PassageQuery.Among("copy", null, 0)))));
    }

    @Test
    default void theKeysOfOldEditsByApplicationsAreDeletedForAllTenants() {
        MemoryStore memory = memory();
        Store acme = store().forTenant("acme");
        say(store(), "t", ANN, 1);
        say(acme, "t", ANN, 1);
        int edits = WorkingMemoryRevision.KEPT + 4;
        for (int i = 0; i < edits; i++) {
            assertEquals(new Stored(i + 1), edit(memory, null, i, (i == 1 ? "run/" : "/") + i));
            assertEquals(new Stored(i + 1), edit(memory, "t", i, "/" + i));
            assertEquals(new Stored(i + 1), edit(acme.memory().orElseThrow(), "t", i, "/" + i));
        }

        assertEquals(0, deleteKeys(START, 99), "then is not before");
        assertEquals(0, deleteKeys(START.plusSeconds(1), 0));
        assertEquals(0, deleteKeys(START.plusSeconds(1), -1));
        assertEquals(2, deleteKeys(START.plusSeconds(2), 2), "in parts");
        assertEquals(3 * 4 - 1 - 2, deleteKeys(START.plusSeconds(edits), 99), "but for that of a run");
        assertEquals(0, deleteKeys(START.plusSeconds(edits), 99), "those of texts that are kept stay");

        assertEquals(new Known(2), edit(memory, null, edits, "run/1"));
        assertEquals(new Known(5), edit(memory, null, edits, "/4"));
        assertEquals(new Stored(edits + 1), edit(memory, null, edits, "/3"));
        assertEquals(new Stored(edits + 1), edit(memory, "t", edits, "/0"));
        assertEquals(new Known(edits), edit(memory, "t", edits + 1, "/" + (edits - 1)));
        assertEquals(
                Optional.of("text of /5"), MemorySamples.text(memory.workingMemory(ANN, "t", 6)), "texts are kept");
    }

    private int deleteKeys(Instant madeBefore, int limit) {
        return store().delete(new Deletion.OldEditKeys(madeBefore, limit));
    }

    /** Each a second later than the one before. */
    private static WorkingMemoryEdit edit(MemoryStore memory, @Nullable String thread, long expected, String key) {
        return memory.edit(ANN, thread, expected, key, "text of " + key, START.plusSeconds(expected));
    }
}
