package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How facts are written and read, and which writers are rejected. */
interface AppendRules extends HasStore {

    @Test
    default void factsAreReadInTheOrderOfWritingWithTheirTypeAndVersion() {
        store().append(start("r", FactEntry.of("Started", 1, "{\"a\":1}"), FactEntry.of("Answered", 7, "null")));
        store().append(more("r", 1, 2, fact("x"), fact("x")));

        assertEquals(
                List.of("Started v1 {\"a\":1}", "Answered v7 null", "Answered v1 \"x\"", "Answered v1 \"x\""),
                store().read(id("r"), 0).stream().map(f -> f + " " + f.text()).toList());
    }

    @Test
    default void factsAreReadFromAPositionOn() {
        store().append(start("r", facts(5)));

        assertEquals(
                List.of("\"fact 3\"", "\"fact 4\""),
                store().read(id("r"), 3).stream().map(FactEntry::text).toList());
        assertEquals(List.of(), store().read(id("r"), 5));
        assertEquals(List.of(), store().read(id("r"), Long.MAX_VALUE));
    }

    @Test
    default void aTextThatIsWrittenLaterIsStored() {
        store().append(start("r", FactEntry.lazy("Started", 1, true, lazy -> "{\"lazy\":" + lazy + "}")));

        assertEquals(List.of("{\"lazy\":true}"), texts(store(), "r"));
    }

    @Test
    default void aRunThatIsNotThereHasNeitherFactsNorARecord() {
        store().append(start("r", facts(1)));

        assertEquals(List.of(), store().read(id("other"), 0));
        assertEquals(Optional.empty(), store().find(id("other")));
    }

    @Test
    default void aRecordIsKeptWithAllItsParts() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(3)));

        assertEquals(Optional.of(root("r").advanced(RunStatus.RUNNING, 1, START)), store().find(id("r")));
        assertEquals(Optional.of(child("c", "r").advanced(RunStatus.RUNNING, 3, START)), store().find(id("c")));
    }

    @Test
    default void aRecordFollowsItsRun() {
        store().append(start("r", facts(1)));
        store().append(Append.to(id("r"), 1, 1, List.of(facts(2)), RunStatus.SUSPENDED, START.plusSeconds(9)));

        RunRecord expected = root("r").advanced(RunStatus.SUSPENDED, 3, START.plusSeconds(9));
        assertEquals(Optional.of(expected), store().find(id("r")));
    }

    @Test
    default void aRecordSaysWhenTheFirstAnswerExpiresUntilTheRunWaitsNoLonger() {
        Instant expiresAt = START.plusSeconds(86_400);
        store().append(start("r", facts(1)));
        store().append(more("r", 1, 1, facts(1)).expiresAt(expiresAt));

        RunRecord waiting = root("r").advanced(RunStatus.RUNNING, 2, START.plusSeconds(1), expiresAt);
        assertEquals(Optional.of(waiting), store().find(id("r")));
        assertEquals(List.of(waiting), store().list(RunFilter.ALL));
        assertEquals(waiting.claimed("process-2"), store().claim(id("r"), 1, 2, "process-2"));
        assertEquals(Optional.of(waiting.claimed("process-2")), store().find(id("r")));

        store().append(more("r", 2, 2, facts(1)));
        assertEquals(Optional.empty(), store().find(id("r")).orElseThrow().expiresAt());
    }

    @Test
    default void aRunMayWaitForAnAnswerFromItsFirstFactsOn() {
        Instant expiresAt = START.plusSeconds(1);
        store().append(start("r", facts(1)).expiresAt(expiresAt));

        assertEquals(Optional.of(expiresAt), store().find(id("r")).orElseThrow().expiresAt());
    }

    @Test
    default void aRunIsStartedOnce() {
        store().append(start("r", fact("first")));

        assertRefused(FENCED, () -> store().append(start("r", fact("second"))));
        assertEquals(List.of("\"first\""), texts(store(), "r"));
    }

    @Test
    default void aRunHasToBeStartedFirst() {
        assertRefused(NOT_FOUND, () -> store().append(more("r", 1, 0, fact("x"))));
        assertEquals(Optional.empty(), store().find(id("r")));
    }

    @Test
    default void aWriterThatKnowsAnotherLengthIsRefused() {
        store().append(start("r", facts(2)));

        assertRefused(FENCED, () -> store().append(more("r", 1, 1, fact("behind"))));
        assertRefused(FENCED, () -> store().append(more("r", 1, 3, fact("ahead"))));
        assertEquals(2, store().read(id("r"), 0).size());
        assertEquals(2, store().find(id("r")).orElseThrow().length());
    }

    @Test
    default void aWriterWithAnotherEpochIsRefused() {
        store().append(start("r", facts(2)));
        store().claim(id("r"), 1, 2, "process-2");

        assertRefused(FENCED, () -> store().append(more("r", 1, 2, fact("late"))));
        assertRefused(FENCED, () -> store().append(more("r", 3, 2, fact("early"))));
        assertEquals(2, store().read(id("r"), 0).size());

        store().append(more("r", 2, 2, fact("mine")));
        assertEquals(3, store().read(id("r"), 0).size());
    }

    @Test
    default void factsAndMessagesAreStoredTogether() {
        store().append(with(start("r", facts(1)), toThread("t", ANN, "m1"), toThread("u", BOB, "m2")));

        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(List.of("m1"), messageIds(store(), "t", ANN));
        assertEquals(List.of("m2"), messageIds(store(), "u", BOB));
    }

    @Test
    default void nothingIsStoredWhenAThreadBelongsToAnother() {
        say(store(), "before", toThread("bobs", BOB, "m1"));
        store().append(start("r", facts(1)));

        Append onward = with(more("r", 1, 1, fact("x")), toThread("anns", ANN, "m2"), toThread("bobs", ANN, "m3"));
        assertThrows(ThreadOwnershipException.class, () -> store().append(onward));
        Append first = with(start("s", facts(1)), toThread("anns", ANN, "m4"), toThread("bobs", ANN, "m5"));
        assertThrows(ThreadOwnershipException.class, () -> store().append(first));

        assertEquals(Optional.of(root("r").advanced(RunStatus.RUNNING, 1, START)), store().find(id("r")));
        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(Optional.empty(), store().find(id("s")));
        assertEquals(List.of(), store().read(id("s"), 0));
        assertEquals(Optional.empty(), store().findThread("anns"));
        assertEquals(List.of("m1"), messageIds(store(), "bobs", BOB));
    }

    @Test
    default void noMessageIsStoredWhenTheWriterIsRefused() {
        store().append(start("r", facts(1)));

        assertRefused(FENCED, () -> store().append(with(more("r", 1, 0, fact("x")), toThread("t", ANN, "m"))));
        assertEquals(Optional.empty(), store().findThread("t"));
    }

    Duration DAY = IdempotencyKey.VALIDITY;

    @Test
    default void aKeyThatIsUsedFindsItsRun() {
        store().append(keyed("first", "key", "digest", START));

        for (String digest : List.of("digest", "other")) {
            Append again = keyed("second", "key", digest, START.plus(DAY));
            IdempotencyKeyException used = assertThrows(IdempotencyKeyException.class, () -> store().append(again));
            assertEquals("first", used.runId());
            assertEquals("digest", used.digest());
            assertEquals("idempotency-mismatch", used.code());
        }
        assertEquals(Optional.empty(), store().find(id("second")));
        store().append(keyed("third", "another key", "digest", START));
    }

    @Test
    default void theRunOfAKeyIsFoundWhileTheKeyCounts() {
        IdempotencyKey key = key("key", "digest");
        assertEquals(Optional.empty(), store().findKeyed(key, START));
        store().append(keyed("first", "key", "digest", START));

        assertEquals(Optional.of(id("first")), store().findKeyed(key, START.plus(DAY)));
        assertEquals(Optional.empty(), store().findKeyed(key("other", "digest"), START));
        assertEquals(Optional.empty(), store().forTenant("other").findKeyed(key, START));
        Instant over = START.plus(DAY).plusMillis(1);
        assertEquals(Optional.empty(), store().findKeyed(key, over));
        IdempotencyKey mistaken = key("key", "other");
        IdempotencyKeyException used =
                assertThrows(IdempotencyKeyException.class, () -> store().findKeyed(mistaken, START));
        assertEquals("first digest", used.runId() + " " + used.digest());
        assertEquals(Optional.empty(), store().findKeyed(mistaken, over));
    }

    @Test
    default void aKeyCountsForADay() {
        store().append(keyed("first", "key", "digest", START));

        store().append(keyed("second", "key", "other", START.plus(DAY).plusMillis(1)));

        Append third = keyed("third", "key", "digest", START.plus(DAY).plusSeconds(1));
        assertEquals(
                "second",
                assertThrows(IdempotencyKeyException.class, () -> store().append(third))
                        .runId());
    }

    @Test
    default void keysThatCountNoMoreAreDeletedStepByStep() {
        int keys = 3 * IdempotencyKey.MOST_DELETED;
        for (int i = 0; i < keys; i++) {
            store().append(keyed("r" + i, "key" + i, "digest", START));
        }
        Instant later = START.plus(DAY).plusSeconds(1);
        for (int i = 0; i < 4; i++) {
            store().append(keyed("later" + i, "later key" + i, "digest", later));
        }
        // back in time, an old key that was kept would still count
        for (int i = 0; i < keys; i++) {
            store().append(keyed("again" + i, "key" + i, "digest", START));
        }
        assertThrows(
                IdempotencyKeyException.class, () -> store().append(keyed("again", "later key0", "digest", later)));
    }

    @Test
    default void aKeyIsNotStoredIfItsRunIsNot() {
        store().heartbeat("process-1", Duration.ofHours(1));
        RunRecord record = record("holder", "t");
        store().append(start(record, facts(1)).takesThread(true));
        Append busy = start(record("second", "t"), facts(1)).takesThread(true).idempotencyKey(key("key", "digest"));
        assertThrows(ThreadBusyException.class, () -> store().append(busy));

        store().append(keyed("third", "key", "other", START));

        assertThrows(IdempotencyKeyException.class, () -> store().append(busy));
    }

    @Test
    default void ofManyThatUseAKeyOneStartsARun() throws InterruptedException {
        for (int round = 1; round <= 10; round++) {
            String key = "key" + round;
            Queue<String> started = new ConcurrentLinkedQueue<>();
            Queue<String> found = new ConcurrentLinkedQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = Stream.of("a" + round, "b" + round, "c" + round)
                    .map(run -> Thread.ofPlatform().start(() -> {
                        try {
                            go.await();
                            store().append(keyed(run, key, "digest", START));
                            started.add(run);
                        } catch (IdempotencyKeyException e) {
                            found.add(e.runId());
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }))
                    .toList();
            go.countDown();
            for (Thread each : threads) {
                each.join();
            }
            assertEquals(1, started.size());
            assertEquals(List.of(started.element(), started.element()), List.copyOf(found));
        }
    }

    private static IdempotencyKey key(String key, String digest) {
        return new IdempotencyKey(key, digest);
    }

    private static RunRecord record(String run, String thread) {
        return RunRecord.builder(id(run), "boss", "process-1", START)
                .threadId(thread)
                .build();
    }

    private static Append keyed(String run, String key, String digest, Instant at) {
        return start(Samples.root(run, at), facts(1)).at(at).idempotencyKey(key(key, digest));
    }
}
