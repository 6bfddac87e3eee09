package dev.chargehand.verify.spin;

/** Code that computes without a pause and ignores every interrupt, until it is over. */
final class Spinning {

    private volatile long startedNanos;
    private volatile boolean started;
    private volatile boolean over;

    void spin() {
        startedNanos = System.nanoTime();
        started = true;
        while (!over) {
            Thread.onSpinWait();
        }
    }

    void end() {
        over = true;
    }

    boolean hasStarted() {
        return started;
    }

    long startedNanos() {
        return startedNanos;
    }
}
