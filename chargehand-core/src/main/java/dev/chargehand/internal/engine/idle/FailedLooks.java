package dev.chargehand.internal.engine.idle;

import dev.chargehand.error.StoreException;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;

/**
 * How long the store has failed for a reader: one failed look is repeated, since the conversation continues without it. Used by one
 * thread at a time.
 */
final class FailedLooks {

    /** How long a reader waits for a store that fails. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final TimeSource time;
    private boolean failing;
    private long since;

    FailedLooks(TimeSource time) {
        this.time = time;
    }

    /**
     * Look into the store. Returns false if it has failed, and another look may succeed.
     *
     * @throws StoreException if none may, or none has for long; the next failure counts anew
     */
    boolean look(Runnable look) {
        try {
            look.run();
            failing = false;
            return true;
        } catch (StoreException e) {
            failed(e);
            return false;
        }
    }

    private void failed(StoreException why) {
        if (!failing) {
            failing = true;
            since = time.nanoTime();
        }
        if (!why.retryable() || time.nanoTime() - since >= LONGEST.toNanos()) {
            failing = false;
            throw why;
        }
    }
}
