package dev.chargehand.tests;

import java.util.concurrent.CountDownLatch;

/** Code that computes without a pause and ignores every interrupt, until it is let go. */
final class Spinners implements AutoCloseable {

    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    static final int MANY = Math.max(8, 2 * CARRIERS);

    private final CountDownLatch started = new CountDownLatch(CARRIERS);
    private volatile boolean over;

    /** Computes until it is let go. */
    void spin() {
        started.countDown();
        while (!over) {
            Thread.onSpinWait();
        }
    }

    /** Waits until as many have begun as would stop everything else. */
    void awaitStarted() {
        Waiting.on(started);
    }

    @Override
    public void close() {
        over = true;
    }
}
