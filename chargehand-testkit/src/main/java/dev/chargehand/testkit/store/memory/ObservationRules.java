package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.observation;
import static dev.chargehand.testkit.store.memory.MemorySamples.observe;
import static dev.chargehand.testkit.store.memory.MemorySamples.observed;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflected;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflection;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Observations are about all messages from the first one on, and a reflection replaces the observations before it. */
interface ObservationRules extends HasMemory {

    private void assertLog(Observation... expected) {
        assertEquals(List.of(expected), memory().observations(ANN, "t").observations());
    }

    private void assertLogOf(long number, Observation... expected) {
        assertEquals(List.of(expected), memory().observations(ANN, "t", number).observations());
    }

    private void assertRejected(NewObservation observation) {
        assertEquals(OptionalLong.empty(), memory().observe(ANN, "t", observation), observation::toString);
    }

    @Test
    default void anObservationGetsTheNextNumberOfItsThread() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        say(store(), "u", ANN, 9);
        Optional<ThreadRecord> before = store().findThread("t");

        assertEquals(ObservationLog.EMPTY, memory.observations(ANN, "t"));
        assertEquals(OptionalLong.of(1), memory.observe(ANN, "t", observation(0, 2)));
        assertEquals(OptionalLong.of(2), memory.observe(ANN, "t", observation(2, 3)));
        assertEquals(OptionalLong.of(1), memory.observe(ANN, "u", observation(0, 9)));
        assertEquals(OptionalLong.of(3), memory.observe(ANN, "t", observation(3, 7)));

        assertLog(observed(1, 0, 2), observed(2, 2, 3), observed(3, 3, 7));
        ObservationLog log = memory.observations(ANN, "t");
        assertEquals(3, log.newest());
        assertEquals(7, log.end());
        assertEquals(7, log.tokens());
        assertEquals(before, store().findThread("t"), "an observation does not change its thread");
    }

    @Test
    default void anObservationStartsWhereThoseBeforeEnded() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);

        assertRejected(observation(1, 3));
        observe(memory, ANN, "t", 0, 3);
        for (long from : List.of(0, 2, 4)) {
            assertRejected(observation(from, 5));
        }
        assertRejected(observation(0, 3));

        assertLog(observed(1, 0, 3));
        assertEquals(OptionalLong.of(2), memory.observe(ANN, "t", observation(3, 5)));
    }

    @Test
    default void anObservationIsOfTheMessagesThatTheThreadHas() {
        say(store(), "t", ANN, 3);

        assertRejected(observation(0, 4));
        assertRejected(observation(0, 4, "m3"));
        assertRejected(observation(0, 3, "m2"));
        assertRejected(observation(0, 2, "m0", "m1"));
        for (List<String> ids :
                List.of(List.of("m1", "m0"), List.of("m0", "x"), List.of("m0", "m1", "m2"), List.of("M0", "m1"))) {
            assertRejected(new NewObservation(0, 2, ids, "text", 1, START));
        }

        assertLog();
        assertEquals(OptionalLong.of(1), memory().observe(ANN, "t", observation(0, 3)));
        say(store(), "t", ANN, 1);
        assertEquals(OptionalLong.of(2), memory().observe(ANN, "t", observation(3, 4)));
    }

    @Test
    default void anObservationLeavesDeletedMessagesOut() {
        say(store(), "t", ANN, 5);
        assertEquals(3, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m1", "m2", "m3"), Set.of())));

        assertRejected(observation(0, 2));
        assertRejected(observation(0, 2, "m0"));
        assertEquals(OptionalLong.of(1), memory().observe(ANN, "t", observation(0, 2, "m1")));
        assertEquals(OptionalLong.of(2), memory().observe(ANN, "t", observation(2, 4, "m2", "m3")));
        assertEquals(OptionalLong.of(3), memory().observe(ANN, "t", observation(4, 5)));

        assertLog(observed(1, 0, 2), observed(2, 2, 4), observed(3, 4, 5));
    }

    @Test
    default void aThreadThatWasMadeAgainHasOtherMessages() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 4);
        observe(memory, ANN, "t", 0, 2);
        assertTrue(store().deleteThread("t", ANN));
        assertEquals(ObservationLog.EMPTY, memory.observations(ANN, "t"));
        List<ThreadEntry> entries = IntStream.range(0, 4)
                .mapToObj(i -> new ThreadEntry("n" + i, "\"x\""))
                .toList();
        ThreadRecord again = store().appendToThread(new ThreadAppend("t", ANN, null, null, entries), START);
        assertEquals(4, again.length());

        assertEquals(ObservationLog.EMPTY, memory.observations(ANN, "t", 1));
        assertRejected(observation(2, 4));
        assertRejected(observation(0, 2));
        assertEquals(OptionalLong.empty(), memory.reflect(ANN, "t", reflection(1)));
        NewObservation ofNew = new NewObservation(0, 2, List.of("n0", "n1"), "text", 1, START);
        assertEquals(OptionalLong.of(1), memory.observe(ANN, "t", ofNew));
    }

    @Test
    default void aReflectionStandsForAllBeforeIt() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        observe(memory, ANN, "t", 0, 2, 3);

        assertEquals(OptionalLong.of(3), memory.reflect(ANN, "t", reflection(2)));
        assertLog(reflected(3, 3, 2));
        assertEquals(3, memory.observations(ANN, "t").end());
        assertRejected(observation(0, 3));
        observe(memory, ANN, "t", 3, 4, 6);
        assertLog(reflected(3, 3, 2), observed(4, 3, 4), observed(5, 4, 6));

        assertEquals(OptionalLong.of(6), memory.reflect(ANN, "t", reflection(4)));
        assertLog(reflected(6, 4, 4), observed(5, 4, 6));
        assertEquals(OptionalLong.of(7), memory.reflect(ANN, "t", reflection(6)));
        assertLog(reflected(7, 6, 6));
    }

    @Test
    default void whatIsObservedWhileAReflectionIsWrittenStaysValid() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        observe(memory, ANN, "t", 0, 2, 4, 5, 8);

        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(2)));
        assertLog(reflected(5, 4, 2), observed(3, 4, 5), observed(4, 5, 8));
        observe(memory, ANN, "t", 8, 9);
        assertLog(reflected(5, 4, 2), observed(3, 4, 5), observed(4, 5, 8), observed(6, 8, 9));
        assertEquals(6, memory.observations(ANN, "t").newest());

        assertEquals(OptionalLong.of(7), memory.reflect(ANN, "t", reflection(5)));
        assertLog(reflected(7, 8, 5), observed(6, 8, 9));
    }

    @Test
    default void ofTwoReflectionsWrittenAtOnceTheFirstStays() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        observe(memory, ANN, "t", 0, 2, 4, 5);
        assertEquals(OptionalLong.of(4), memory.reflect(ANN, "t", reflection(2)));

        for (long replaces : List.of(1, 2, 3, 5)) {
            assertEquals(OptionalLong.empty(), memory.reflect(ANN, "t", reflection(replaces)));
        }

        assertLog(reflected(4, 4, 2), observed(3, 4, 5));
        assertEquals(OptionalLong.of(5), memory.reflect(ANN, "t", reflection(4)));
    }

    @Test
    default void thereIsNothingToReflectOnWithoutObservations() {
        say(store(), "t", ANN, 9);

        assertEquals(OptionalLong.empty(), memory().reflect(ANN, "t", reflection(1)));

        assertLog();
        observe(memory(), ANN, "t", 0, 9);
        assertEquals(OptionalLong.empty(), memory().reflect(ANN, "t", reflection(2)));
        assertLog(observed(1, 0, 9));
    }

    @Test
    default void theLogOfANumberIsWhatItWasThen() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        List<ObservationLog> logs = new ArrayList<>();
        List<Runnable> steps = List.of(
                () -> observe(memory, ANN, "t", 0, 2),
                () -> observe(memory, ANN, "t", 2, 4),
                () -> observe(memory, ANN, "t", 4, 5),
                () -> assertEquals(OptionalLong.of(4), memory.reflect(ANN, "t", reflection(2))),
                () -> observe(memory, ANN, "t", 5, 6),
                () -> assertEquals(OptionalLong.of(6), memory.reflect(ANN, "t", reflection(5))),
                () -> observe(memory, ANN, "t", 6, 9));

        for (Runnable step : steps) {
            step.run();
            logs.add(memory.observations(ANN, "t"));
        }

        for (int i = 0; i < logs.size(); i++) {
            assertEquals(logs.get(i), memory.observations(ANN, "t", i + 1));
            assertEquals(i + 1, logs.get(i).newest());
        }
        assertLogOf(0);
        assertLogOf(-1);
        assertLogOf(5, reflected(4, 4, 2), observed(3, 4, 5), observed(5, 5, 6));
        assertEquals(logs.getLast(), memory.observations(ANN, "t", 8));
        assertEquals(logs.getLast(), memory.observations(ANN, "t", Long.MAX_VALUE));
    }

    @Test
    default void ofAMissingThreadNothingIsObserved() {
        MemoryStore memory = memory();

        assertEquals(ObservationLog.EMPTY, memory.observations(ANN, "t"));
        assertEquals(ObservationLog.EMPTY, memory.observations(ANN, "t", 1));
        assertEquals(OptionalLong.empty(), memory.observe(ANN, "t", observation(0, 1)));
        assertEquals(OptionalLong.empty(), memory.reflect(ANN, "t", reflection(1)));
        assertEquals(List.of(), memory.observedThreads(ANN, 9));
        assertEquals(Optional.empty(), store().findThread("t"));
    }

    @Test
    default void onlyTheOwnerOfAThreadReadsAndStoresItsObservations() {
        MemoryStore memory = memory();
        MemoryStore acme = store().forTenant("acme").memory().orElseThrow();
        say(store(), "t", ANN, 9);
        observe(memory, ANN, "t", 0, 3);

        for (ThreadOwner other : List.of(BOB, new ThreadOwner("ann", "boss"), new ThreadOwner(null, null))) {
            for (Executable call : List.<Executable>of(
                    () -> memory.observations(other, "t"),
                    () -> memory.observations(other, "t", 1),
                    () -> memory.observe(other, "t", observation(3, 4)),
                    () -> memory.reflect(other, "t", reflection(1)))) {
                assertThrows(ThreadOwnershipException.class, call, other.toString());
            }
            assertEquals(List.of(), memory.observedThreads(other, 9));
        }
        assertEquals(ObservationLog.EMPTY, acme.observations(ANN, "t"));
        assertEquals(OptionalLong.empty(), acme.observe(ANN, "t", observation(3, 4)));
        assertEquals(OptionalLong.empty(), acme.reflect(ANN, "t", reflection(1)));
        assertEquals(List.of(), acme.observedThreads(ANN, 9));
        assertLog(observed(1, 0, 3));
    }

    @Test
    default void observedThreadsAreListedByTheirLastChange() {
        MemoryStore memory = memory();
        ThreadOwner writer = new ThreadOwner("ann", "boss/writer");
        List<String> threads = List.of("old", "new", "tie b", "tie a", "tie c");
        for (String thread : threads) {
            int age = thread.startsWith("tie") ? 50 : thread.equals("new") ? 10 : 90;
            assertEquals(
                    2,
                    say(store(), thread, ANN, 2, null, START.minusSeconds(age)).length());
            observe(memory, ANN, thread, 0, 1, 2);
        }
        say(store(), "not observed", ANN, 2);
        for (ThreadOwner other : List.of(BOB, writer, new ThreadOwner(null, null), new ThreadOwner(null, "boss"))) {
            say(store(), "of " + other, other, 1);
            observe(memory, other, "of " + other, 0, 1);
            assertEquals(List.of("of " + other), memory.observedThreads(other, 9));
        }

        assertEquals(List.of("new", "tie c", "tie b", "tie a", "old"), memory.observedThreads(ANN, 9));
        assertEquals(List.of("new", "tie c"), memory.observedThreads(ANN, 2));
        assertEquals(List.of(), memory.observedThreads(ANN, 0));
        assertEquals(List.of(), memory.observedThreads(ANN, -1));

        say(store(), "old", ANN, 1);
        assertEquals(List.of("old", "new"), memory.observedThreads(ANN, 2));
        assertEquals(1, store().delete(new Deletion.MessagesOfThread("new", ANN, Set.of("m0"), Set.of())));
        assertTrue(store().deleteThread("tie c", ANN));
        assertEquals(List.of("old", "tie b", "tie a"), memory.observedThreads(ANN, 9));
        assertFalse(memory.observedThreads(ANN, 9).contains("not observed"));
    }

    /**
     * After any operations in any order, each thread has what a plain list of its rows says; there are as many as
     * {@code -Dchargehand.operations} says.
     */
    @Test
    default void randomOperationsKeepTheLogsOfThreads() {
        assertEquals(List.of(), memory().observedThreads(ANN, 9));
        new RandomObservations(store(), Long.getLong("chargehand.seed", System.nanoTime()))
                .run(Integer.getInteger("chargehand.operations", 500));
    }
}
