package dev.chargehand.verify.spin;

import java.util.concurrent.atomic.AtomicInteger;

/** Computes without a pause and ignores every interrupt, until it is over. */
final class Spinning {

    private final AtomicInteger started = new AtomicInteger();
    private volatile boolean over;
    private volatile long turns;

    @SuppressWarnings("NonAtomicVolatileUpdate") // the number means nothing
    void spin() {
        started.incrementAndGet();
        while (!over) {
            turns++;
        }
    }

    void end() {
        over = true;
    }

    int started() {
        return started.get();
    }
}
