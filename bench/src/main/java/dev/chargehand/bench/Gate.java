package dev.chargehand.bench;

/** Holds requests until all that are waited for are there. Open at first. Thread-safe. */
final class Gate {

    private boolean shut;
    private int held;

    /** Hold what comes from now on. */
    synchronized void shut() {
        shut = true;
    }

    /** Wait until so many are held. */
    synchronized void await(int number) throws InterruptedException {
        while (held < number) {
            wait();
        }
    }

    /** Let all pass. */
    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Pass, or wait until the gate is open. */
    synchronized void pass() {
        held++;
        notifyAll();
        try {
            while (shut) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the provider is being closed
        } finally {
            held--;
        }
    }
}
