package dev.chargehand.verify.cancel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What tools, hooks and scorers do: they ignore every interrupt until they are let go. */
final class DeafCode {

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();

    /** Signal the moment, and wait until it is released. */
    void beDeaf() {
        calls.incrementAndGet();
        started.countDown();
        awaitEnd();
    }

    /** Wait likewise, without being what the case is about. */
    void beDeafAside() {
        calls.incrementAndGet();
        awaitEnd();
    }

    /** Wait likewise, as code that is not a call. */
    void hang() {
        awaitEnd();
    }

    private void awaitEnd() {
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
    }

    CountDownLatch started() {
        return started;
    }

    void letGo() {
        over.countDown();
    }

    int calls() {
        return calls.get();
    }
}
