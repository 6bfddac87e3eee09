package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.found;
import static dev.chargehand.testkit.store.memory.MemorySamples.index;
import static dev.chargehand.testkit.store.memory.MemorySamples.observation;
import static dev.chargehand.testkit.store.memory.MemorySamples.observe;
import static dev.chargehand.testkit.store.memory.MemorySamples.observed;
import static dev.chargehand.testkit.store.memory.MemorySamples.passage;
import static dev.chargehand.testkit.store.memory.MemorySamples.query;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflection;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static dev.chargehand.testkit.store.memory.MemorySamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What belongs to an owner exists for that owner only. */
interface MemoryOwnerRules extends HasMemory {

    /** Owners that a careless store takes for {@link MemorySamples#ANN}, or for each other. */
    List<ThreadOwner> OTHERS = List.of(
            BOB,
            new ThreadOwner("Ann", null),
            new ThreadOwner("ann", ""),
            new ThreadOwner("ann", "boss/writer"),
            new ThreadOwner("ann", "boss"),
            new ThreadOwner(null, null),
            new ThreadOwner(null, "boss"),
            new ThreadOwner("", null),
            new ThreadOwner("", ""),
            new ThreadOwner("=", null),
            new ThreadOwner("%", null),
            new ThreadOwner("3:ann", null),
            new ThreadOwner("ann0:", null));

    @Test
    default void aSearchFindsTheMessagesOfItsOwnerOnly() {
        everyoneHasAThread();

        for (ThreadOwner owner : OTHERS) {
            for (MemoryStore memory : List.of(memory(), acme())) {
                PassageHits hits = memory.nearest(query(owner));
                assertEquals(List.of(thread(owner) + " 0"), found(hits), owner.toString());
                assertEquals(owner, hits.hits().getFirst().owner());
            }
        }
        assertEquals(List.of("t 0"), found(memory(), ANN));
        assertEquals(List.of(), found(acme(), ANN));
        assertEquals(List.of(), found(memory(), new ThreadOwner("carl", null)));
    }

    @Test
    default void vectorsAndRangesAreThoseOfTheirOwner() {
        everyoneHasAThread();

        for (ThreadOwner owner : OTHERS) {
            assertEquals(Optional.of(IndexedRange.of(0, 1)), memory().indexed(owner, thread(owner), SPACE));
            assertEquals(1, memory().deleteVectors(owner, SPACE), owner.toString());
            assertEquals(List.of(), found(memory(), owner));
            assertEquals(Optional.empty(), memory().indexed(owner, thread(owner), SPACE));
            assertEquals(List.of("t 0"), found(memory(), ANN));
            assertEquals(List.of(thread(owner) + " 0"), found(acme(), owner));
            assertEquals(Optional.of(IndexedRange.of(0, 1)), acme().indexed(owner, thread(owner), SPACE));
        }
        assertEquals(0, acme().deleteVectors(ANN, SPACE));
        assertEquals(Optional.of(IndexedRange.of(0, 1)), memory().indexed(ANN, "t", SPACE));
    }

    /** Everyone has a thread with a message that has a vector; all but Ann also in another tenant. */
    private void everyoneHasAThread() {
        say(store(), "t", ANN, 1);
        index(memory(), ANN, "t", passage(0, 0));
        for (ThreadOwner owner : OTHERS) {
            say(store(), thread(owner), owner, 1);
            index(memory(), owner, thread(owner), passage(0, 0));
            say(store().forTenant("acme"), thread(owner), owner, 1);
            index(acme(), owner, thread(owner), passage(0, 0));
        }
    }

    @Test
    default void observedThreadsAreThoseOfTheirOwner() {
        everyoneHasAThread();
        for (ThreadOwner owner : OTHERS) {
            observe(memory(), owner, thread(owner), 0, 1);
        }

        for (ThreadOwner owner : OTHERS) {
            assertEquals(List.of(thread(owner)), memory().observedThreads(owner, 9), owner.toString());
            assertEquals(List.of(), acme().observedThreads(owner, 9));
        }
        assertEquals(List.of(), memory().observedThreads(ANN, 9));
    }

    private static String thread(ThreadOwner owner) {
        return "of " + owner;
    }

    private MemoryStore acme() {
        return store().forTenant("acme").memory().orElseThrow();
    }

    @Test
    default void nobodyElseCanUseAThread() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        index(memory, ANN, "t", passage(0, 0));
        assertEquals(new WorkingMemoryEdit.Stored(1), memory.edit(ANN, "t", 0, "key", "hers", START));
        assertTrue(memory.take(ANN, "t", "worker", Duration.ZERO));
        observe(memory, ANN, "t", 0, 1);

        for (ThreadOwner other : OTHERS) {
            List<Executable> calls = List.of(
                    () -> memory.take(other, "t", "thief", Duration.ofHours(1)),
                    () -> memory.giveBack(other, "t", "worker", 1, null),
                    () -> memory.indexed(other, "t", SPACE),
                    () -> memory.index(
                            other,
                            "t",
                            SPACE,
                            Optional.of(IndexedRange.of(0, 1)),
                            IndexedRange.of(0, 2),
                            List.of(passage(0, 0))),
                    () -> memory.nearest(query(other, new PassageQuery.Among("t", null, 0))),
                    () -> memory.observations(other, "t"),
                    () -> memory.observations(other, "t", 1),
                    () -> memory.observe(other, "t", observation(0, 1)),
                    () -> memory.reflect(other, "t", reflection(1)),
                    () -> memory.workingMemory(other, "t"),
                    () -> memory.workingMemory(other, "t", 1),
                    () -> memory.edit(other, "t", 1, "other key", "theirs", START),
                    () -> memory.edit(other, "t", 1, "key", "theirs", START));
            for (Executable call : calls) {
                assertThrows(ThreadOwnershipException.class, call, other.toString());
            }
            assertEquals(List.of(), found(memory, other));
            assertEquals(List.of(), memory.observedThreads(other, 9), other.toString());
            assertEquals(0, memory.deleteVectors(other, SPACE));
        }
        assertHers(memory);
    }

    @Test
    default void nobodyElseCanSearchAThreadBeforeThereAreVectors() {
        say(store(), "t", ANN, 1, "boss", START);

        PassageQuery.Among onlyThread = new PassageQuery.Among("t", null, 0);
        for (ThreadOwner other : OTHERS) {
            for (Executable call : List.<Executable>of(
                    () -> memory().nearest(query(other, onlyThread)), () -> memory().indexed(other, "t", SPACE))) {
                assertThrows(ThreadOwnershipException.class, call, other.toString());
            }
        }
        assertEquals(List.of(), memory().nearest(query(ANN, onlyThread)).hits());
    }

    @Test
    default void aThreadOfAnotherTenantIsMissing() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        index(memory, ANN, "t", passage(0, 0));
        assertEquals(new WorkingMemoryEdit.Stored(1), memory.edit(ANN, "t", 0, "key", "hers", START));
        assertTrue(memory.take(ANN, "t", "worker", Duration.ZERO));
        observe(memory, ANN, "t", 0, 1);

        for (ThreadOwner owner : List.of(ANN, BOB)) {
            assertFalse(acme().take(owner, "t", "thief", Duration.ofHours(1)));
            acme().giveBack(owner, "t", "worker", 1, null);
            assertEquals(Optional.empty(), acme().indexed(owner, "t", SPACE));
            assertEquals(List.of(), found(acme(), owner));
            assertEquals(
                    List.of(),
                    acme().nearest(query(owner, new PassageQuery.Among("t", null, 0)))
                            .hits());
            assertEquals(0, acme().deleteVectors(owner, SPACE));
            assertEquals(ObservationLog.EMPTY, acme().observations(owner, "t"));
            assertEquals(ObservationLog.EMPTY, acme().observations(owner, "t", 1));
            assertEquals(OptionalLong.empty(), acme().observe(owner, "t", observation(0, 1)));
            assertEquals(OptionalLong.empty(), acme().reflect(owner, "t", reflection(1)));
            assertEquals(List.of(), acme().observedThreads(owner, 9));
            assertEquals(Optional.empty(), acme().workingMemory(owner, "t"));
            assertEquals(Optional.empty(), acme().workingMemory(owner, "t", 1));
            for (Executable call : List.<Executable>of(
                    () -> acme().edit(owner, "t", 1, "key", "theirs", START),
                    () -> index(acme(), owner, "t", passage(0, 0)))) {
                assertEquals(
                        StoreException.Kind.NOT_FOUND,
                        assertThrows(StoreException.class, call).kind());
            }
        }
        assertHers(memory);
    }

    private static void assertHers(MemoryStore memory) {
        assertEquals(
                List.of("t"), memory.due(0, 9).stream().map(DueThread::threadId).toList());
        assertEquals(List.of("t 0"), found(memory, ANN));
        assertEquals(Optional.of(IndexedRange.of(0, 1)), memory.indexed(ANN, "t", SPACE));
        assertEquals(Optional.of("hers"), text(memory.workingMemory(ANN, "t")));
        assertEquals(List.of(observed(1, 0, 1)), memory.observations(ANN, "t").observations());
        assertEquals(List.of("t"), memory.observedThreads(ANN, 9));
        assertTrue(memory.take(ANN, "t", "another worker", Duration.ofHours(1)));
    }

    @Test
    default void everyOwnerHasAWorkingMemory() {
        MemoryStore memory = memory();
        assertEquals(new WorkingMemoryEdit.Stored(1), memory.edit(ANN, null, 0, "key", "of Ann", START));
        for (ThreadOwner owner : OTHERS) {
            assertEquals(Optional.empty(), memory.workingMemory(owner, null));
            assertEquals(Optional.empty(), memory.workingMemory(owner, null, 1));
            assertEquals(Optional.empty(), acme().workingMemory(owner, null));
            assertEquals(
                    new WorkingMemoryEdit.Stored(1),
                    memory.edit(owner, null, 0, "key", thread(owner), START),
                    owner.toString());
        }

        for (ThreadOwner owner : OTHERS) {
            assertEquals(Optional.of(thread(owner)), text(memory.workingMemory(owner, null)));
            assertEquals(Optional.of(thread(owner)), text(memory.workingMemory(owner, null, 1)));
            assertEquals(new WorkingMemoryEdit.Known(1), memory.edit(owner, null, 1, "key", "other", START));
            assertEquals(Optional.empty(), acme().workingMemory(owner, null, 1));
        }
        assertEquals(Optional.empty(), acme().workingMemory(ANN, null));
        assertEquals(new WorkingMemoryEdit.Stored(1), acme().edit(ANN, null, 0, "key", "of acme", START));
        assertEquals(Optional.of("of Ann"), text(memory.workingMemory(ANN, null)));
    }

    /**
     * After any operations in any order, each owner finds all of its own, and nothing else; there are as many as
     * {@code -Dchargehand.operations} says.
     */
    @Test
    default void randomOperationsMixNoOwners() {
        assertTrue(memory().due(0, 1).isEmpty());
        new RandomMemory(store(), Long.getLong("chargehand.seed", System.nanoTime()))
                .run(Integer.getInteger("chargehand.operations", 1_000));
    }
}
