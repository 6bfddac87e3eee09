package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.observation;
import static dev.chargehand.testkit.store.memory.MemorySamples.observe;
import static dev.chargehand.testkit.store.memory.MemorySamples.observed;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflected;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflection;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A deleted message takes with it what was observed from it on, and a copy of a thread has what is about its own messages. */
interface ObservationDeletionRules extends HasMemory {

    private void assertLog(String thread, Observation... expected) {
        assertEquals(List.of(expected), memory().observations(ANN, thread).observations());
    }

    private void delete(String... messageIds) {
        assertEquals(
                messageIds.length,
                store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of(messageIds), Set.of())));
    }

    /** Make a thread of ten messages with four observations: of the first two, of two, of three, and of two; one was not observed. */
    private void observeMost() {
        say(store(), "t", ANN, 10);
        observe(memory(), ANN, "t", 0, 2, 4, 7, 9);
    }

    @Test
    default void aDeletedMessageTakesAllObservationsFromItOnWithIt() {
        observeMost();

        delete("m9");
        assertLog("t", observed(1, 0, 2), observed(2, 2, 4), observed(3, 4, 7), observed(4, 7, 9));
        delete("m8");
        assertLog("t", observed(1, 0, 2), observed(2, 2, 4), observed(3, 4, 7));
        delete("m5", "m2");
        assertLog("t", observed(1, 0, 2));
        delete("m0");
        assertLog("t");
        assertEquals(List.of(), memory().observedThreads(ANN, 9));
        for (int number = 1; number <= 5; number++) {
            assertEquals(ObservationLog.EMPTY, memory().observations(ANN, "t", number));
        }
    }

    @Test
    default void theFirstAndTheLastMessageOfAnObservationBelongToIt() {
        observeMost();

        delete("m4");
        assertLog("t", observed(1, 0, 2), observed(2, 2, 4));
        delete("m3");
        assertLog("t", observed(1, 0, 2));
    }

    @Test
    default void theNumbersOfDeletedObservationsAreNotUsedAgain() {
        MemoryStore memory = memory();
        observeMost();
        delete("m8");

        assertEquals(OptionalLong.empty(), memory.observe(ANN, "t", observation(9, 10)));
        assertEquals(OptionalLong.empty(), memory.observe(ANN, "t", observation(7, 10)));
        assertEquals(OptionalLong.of(5), memory.observe(ANN, "t", observation(7, 10, "m8")));
        assertLog("t", observed(1, 0, 2), observed(2, 2, 4), observed(3, 4, 7), observed(5, 7, 10));
        assertEquals(3, memory.observations(ANN, "t", 4).newest());
        delete("m0");
        assertEquals(OptionalLong.of(6), memory.observe(ANN, "t", observation(0, 2, "m0")));
        assertLog("t", observed(6, 0, 2));
        assertEquals(OptionalLong.empty(), memory.reflect(ANN, "t", reflection(5)));
        assertEquals(OptionalLong.of(7), memory.reflect(ANN, "t", reflection(6)));
        delete("m1");
        assertEquals(OptionalLong.of(8), memory.observe(ANN, "t", observation(0, 2, "m0", "m1")));
    }

    @Test
    default void aDeletedMessageTakesTheReflectionThatIsAboutItWithIt() {
        MemoryStore memory = memory();
        observeMost();
        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(2)));
        assertLog("t", reflected(5, 4, 2), observed(3, 4, 7), observed(4, 7, 9));

        delete("m7");
        assertLog("t", reflected(5, 4, 2), observed(3, 4, 7));
        assertEquals(memory.observations(ANN, "t"), memory.observations(ANN, "t", 5));
        delete("m4");
        assertLog("t", reflected(5, 4, 2));
        delete("m3");
        assertLog("t", observed(1, 0, 2));
        assertEquals(OptionalLong.of(6), memory.observe(ANN, "t", observation(2, 4, "m3")));
        assertLog("t", observed(1, 0, 2), observed(6, 2, 4));
        assertEquals(OptionalLong.of(7), memory.reflect(ANN, "t", reflection(6)));
        assertLog("t", reflected(7, 4, 6));
    }

    @Test
    default void anEarlierReflectionStandsInForADeletedOne() {
        MemoryStore memory = memory();
        observeMost();
        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(1)));
        assertEquals(OptionalLong.of(6), memory.reflect(ANN, "t", reflection(5)));
        assertLog("t", reflected(6, 9, 5));
        assertEquals(OptionalLong.empty(), memory.reflect(ANN, "t", reflection(5)));

        delete("m4");

        assertLog("t", reflected(5, 2, 1), observed(2, 2, 4));
        assertEquals(OptionalLong.of(7), memory.reflect(ANN, "t", reflection(5)));
        assertLog("t", reflected(7, 4, 5));
        delete("m0");
        assertLog("t");
    }

    @Test
    default void aCopyOfAThreadHasItsObservations() {
        MemoryStore memory = memory();
        observeMost();
        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(2)));

        copy("copy", 10);

        assertLog("copy", reflected(5, 4, 2), observed(3, 4, 7), observed(4, 7, 9));
        assertEquals(memory.observations(ANN, "t", 4), memory.observations(ANN, "copy", 4));
        assertEquals(OptionalLong.of(6), memory.observe(ANN, "copy", observation(9, 10)));
        delete("m0");
        assertLog("t");
        assertLog("copy", reflected(5, 4, 2), observed(3, 4, 7), observed(4, 7, 9), observed(6, 9, 10));
        assertTrue(store().deleteThread("t", ANN));
        assertEquals(6, memory.observations(ANN, "copy").newest());
    }

    @Test
    default void aCopyOfAPartHasTheObservationsAllOfWhoseMessagesWereCopied() {
        MemoryStore memory = memory();
        observeMost();
        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(3)));

        for (long before : List.of(7L, 8L)) {
            copy("copy " + before, before);
            assertLog("copy " + before, reflected(5, 7, 3));
        }
        copy("six", 6);
        assertLog("six", observed(1, 0, 2), observed(2, 2, 4));
        copy("one", 1);
        assertLog("one");
        copy("none", 0);
        assertLog("none");

        for (String copy : List.of("six", "one")) {
            long end = memory.observations(ANN, copy).end();
            long length = store().findThread(copy).orElseThrow().length();
            assertEquals(OptionalLong.of(6), memory.observe(ANN, copy, observation(end, length)), copy);
        }
        assertEquals(Set.of("t", "copy 7", "copy 8", "six", "one"), Set.copyOf(memory.observedThreads(ANN, 9)));
    }

    @Test
    default void aCopyHasNothingOfWhatWasDeleted() {
        MemoryStore memory = memory();
        observeMost();
        delete("m5");

        copy("copy", 10);

        assertLog("copy", observed(1, 0, 2), observed(2, 2, 4));
        assertEquals(OptionalLong.of(5), memory.observe(ANN, "copy", observation(4, 10, "m5")));
        assertEquals(OptionalLong.of(5), memory.observe(ANN, "t", observation(4, 10, "m5")));
        assertEquals(2, memory.observations(ANN, "copy", 4).newest());
        assertTrue(store().deleteThread("t", ANN));
        assertLog("copy", observed(1, 0, 2), observed(2, 2, 4), observed(5, 4, 10));
    }

    private void copy(String to, long before) {
        assertTrue(store().copyThread(
                        "t", before, ThreadRecord.builder(to, ANN, START).build()));
    }
}
