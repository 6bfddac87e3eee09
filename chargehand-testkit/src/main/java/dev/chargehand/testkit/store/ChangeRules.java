package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Waiting for a change of the store. */
interface ChangeRules extends HasStore {

    Duration LONG = Duration.ofMinutes(1);

    @Test
    default void theFirstWaitEndsAtOnceAndOneWithoutAChangeEndsInTime() {
        long seen = quiet(store());

        assertNotEquals(0, seen);
        assertEquals(seen, store().awaitChange(seen, Duration.ofMillis(1)));
    }

    @Test
    default void aDeliveryAReleaseAndAnEndWakeEveryWaitingThread() {
        store().append(start("r", facts(1)));
        assertWakes(() -> store().deliver(new Delivery(id("r"), "m", Delivery.Kind.MESSAGE, Json.of("Hello"), START)));
        assertWakes(() -> store().release(id("r"), 1));
        assertWakes(() -> store().append(more("r", 2, 1, facts(1)).status(RunStatus.COMPLETED)));
    }

    @Test
    default void anAppendIsNoticedToo() {
        store().append(start("r", facts(1)));
        assertWakes(() -> store().append(more("r", 1, 1, facts(1))));
    }

    @Test
    default void aChangeBeforeTheWaitEndsItAtOnce() {
        long seen = quiet(store());
        store().append(start("r", facts(1)));

        assertNotEquals(seen, store().awaitChange(seen, LONG));
    }

    @Test
    default void anInterruptEndsTheWait() {
        long seen = quiet(store());
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            store().awaitChange(seen, LONG);
            kept.complete(Thread.currentThread().isInterrupted());
        });
        waiting.interrupt();
        assertTrue(kept.join(), "the interrupt is kept");
    }

    private void assertWakes(Runnable change) {
        long seen = quiet(store());
        List<CompletableFuture<Long>> waiting = List.of(waiting(seen), waiting(seen));
        change.run();
        waiting.forEach(each -> assertNotEquals(seen, each.join()));
    }

    private CompletableFuture<Long> waiting(long seen) {
        CompletableFuture<Long> ended = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> ended.complete(store().awaitChange(seen, LONG)));
        return ended;
    }

    /** Wait until nothing changes any more. */
    private static long quiet(Store store) {
        long seen = 0;
        for (long now = store.awaitChange(seen, Duration.ZERO);
                now != seen;
                now = store.awaitChange(seen, Duration.ofMillis(600))) {
            seen = now;
        }
        return seen;
    }
}
