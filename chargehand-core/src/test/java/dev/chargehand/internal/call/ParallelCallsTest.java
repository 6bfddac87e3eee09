package dev.chargehand.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the calling thread does before it waits for others. */
class ParallelCallsTest {

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void somethingIsDoneBeforeTheCallerWaits() {
        CountDownLatch waits = new CountDownLatch(1);
        ParallelCalls calls = new ParallelCalls(2, () -> () -> {}, waits::countDown);
        assertThat(calls.all(List.of("a", "b"), name -> name, name -> after(waits, name)))
                .containsExactly("a", "b");
    }

    private static String after(CountDownLatch latch, String value) {
        try {
            latch.await();
            return value;
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts this.", e);
        }
    }
}
