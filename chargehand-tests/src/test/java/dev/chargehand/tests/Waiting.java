package dev.chargehand.tests;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits that a test can do in a lambda; long enough for any machine, and never for ever. */
final class Waiting {

    private Waiting() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited in vain until " + what + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    static void on(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("What the test waits for did not happen.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted.", e);
        }
    }

    /** Waits for the others who are to meet. */
    static void at(CyclicBarrier meeting) {
        try {
            meeting.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("The others did not come.", e);
        }
    }
}
