package dev.chargehand.testkit;

import dev.chargehand.error.ModelException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** The two ways in which a scripted model waits. */
final class Waits {

    private Waits() {}

    /** Wait for the latch, or until the call is cancelled: then fails as a closed connection does. */
    static void obedient(Play play, CountDownLatch latch) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean cancelled = new AtomicBoolean();
        play.onCancel(() -> {
            cancelled.set(true);
            over.countDown();
        });
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                latch.await();
                over.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            over.await();
        } finally {
            waiter.interrupt();
        }
        if (cancelled.get()) {
            throw new ModelException(ModelException.Kind.CONNECTION, "The scripted connection was closed.", null);
        }
    }

    /** Wait for the latch, regardless of interrupts. */
    static void deaf(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
