package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.found;
import static dev.chargehand.testkit.store.memory.MemorySamples.index;
import static dev.chargehand.testkit.store.memory.MemorySamples.passage;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static dev.chargehand.testkit.store.memory.MemorySamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is remembered goes with the message, the thread or the resource that it is of. */
interface MemoryDeletionRules extends HasMemory {

    @Test
    default void theVectorsOfADeletedMessageGoWithIt() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 3);
        say(store(), "u", ANN, 3);
        for (String thread : List.of("t", "u")) {
            index(
                    memory,
                    ANN,
                    thread,
                    passage(0, 0),
                    new Passage(1, 0, MemorySamples.at(10)),
                    new Passage(1, 1, MemorySamples.at(20)),
                    passage(2, 30));
        }

        assertEquals(1, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m1"), Set.of())));

        assertEquals(Set.of("t 0", "t 2", "u 0", "u 1", "u 2"), Set.copyOf(found(memory, ANN)));
        assertEquals(Optional.of(IndexedRange.of(0, 3)), memory.indexed(ANN, "t", SPACE));
        assertEquals(6, memory.deleteVectors(ANN, SPACE));
    }

    @Test
    default void aVectorThatArrivesAfterItsMessageWasDeletedIsLeftOut() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        assertEquals(1, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m0"), Set.of())));

        index(memory, ANN, "t", passage(0, 0), passage(1, 10));

        assertEquals(List.of("t 1"), found(memory, ANN));
        assertEquals(1, memory.deleteVectors(ANN, SPACE));
    }

    @Test
    default void whatIsRememberedOfAResourceIsDeleted() {
        MemoryStore memory = memory();
        ThreadOwner writer = new ThreadOwner("ann", "boss/writer");
        ThreadOwner missing = new ThreadOwner(null, null);
        say(store(), "t", ANN, 1);
        say(store(), "b", BOB, 1);
        index(memory, ANN, "t", passage(0, 0));
        index(memory, BOB, "b", passage(0, 0));
        for (ThreadOwner owner : List.of(ANN, writer, BOB, missing)) {
            note(owner, null);
        }
        note(ANN, "t");
        note(BOB, "b");

        assertEquals(0, store().forTenant("acme").delete(new Deletion.MemoryOfResource("ann")));
        assertEquals(1, store().delete(new Deletion.ThreadsOfResource("ann", 9)));
        assertEquals(2, store().delete(new Deletion.MemoryOfResource("ann")));
        assertEquals(0, store().delete(new Deletion.MemoryOfResource("ann")));

        assertEquals(List.of(), found(memory, ANN));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null));
        assertEquals(Optional.empty(), memory.workingMemory(writer, null));
        assertEquals(0, store().delete(new Deletion.MemoryOfResource("ann")), "reading makes nothing to delete");
        assertEquals(List.of("b 0"), found(memory, BOB));
        for (ThreadOwner owner : List.of(BOB, missing)) {
            assertEquals(Optional.of("text"), text(memory.workingMemory(owner, null)));
        }
        assertEquals(Optional.of("text"), text(memory.workingMemory(BOB, "b")));

        note(ANN, null);
        say(store(), "t", ANN, 1);
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "t"));
        index(memory, ANN, "t", passage(0, 0));
        assertEquals(List.of("t 0"), found(memory, ANN));
        assertTrue(memory.workingMemory(ANN, null).isPresent());
    }

    @Test
    default void aTitleThatArrivesAfterItsMessageWasDeletedIsLeftOut() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 3);
        assertFalse(memory.title(ANN, "t", "Late", TitleSource.MODEL, List.of("m0", "missing")));
        assertEquals(1, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m1"), Set.of())));

        assertFalse(memory.title(ANN, "t", "Late", TitleSource.MODEL, List.of("m0", "m1")));
        assertEquals(Optional.empty(), store().findThread("t").orElseThrow().title());

        assertTrue(memory.title(ANN, "t", "In time", TitleSource.MODEL, List.of("m0", "m2")));
        assertEquals(
                Optional.of("In time"), store().findThread("t").orElseThrow().title());
        assertFalse(memory.title(ANN, "nowhere", "Late", TitleSource.MODEL, List.of("m0")));
        assertThrows(
                ThreadOwnershipException.class,
                () -> memory.title(BOB, "t", "Theirs", TitleSource.MODEL, List.of("m0")));
    }

    private void note(ThreadOwner owner, @Nullable String thread) {
        assertInstanceOf(WorkingMemoryEdit.Stored.class, memory().edit(owner, thread, 0, "/key", "text", START));
    }
}
