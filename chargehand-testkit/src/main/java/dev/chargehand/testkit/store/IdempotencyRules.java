package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An idempotency key finds the run that it has started, for a day. */
interface IdempotencyRules extends HasStore {

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
