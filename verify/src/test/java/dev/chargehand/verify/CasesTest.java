package dev.chargehand.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.Cases;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CasesTest {

    private final CountDownLatch over = new CountDownLatch(1);
    private final Set<Long> hanging = ConcurrentHashMap.newKeySet();
    private final Set<Long> crashed = ConcurrentHashMap.newKeySet();
    private final Set<Long> done = ConcurrentHashMap.newKeySet();

    @AfterEach
    void letGo() {
        over.countDown();
    }

    @Test
    void aCaseThatNeverEndsIsToldAndTheOthersGoOn() throws Exception {
        Cases.run(
                LongStream.rangeClosed(1, 20),
                2,
                Duration.ofMillis(200),
                this::work,
                (number, where) -> hanging.add(number),
                (number, what) -> crashed.add(number));
        assertThat(hanging).containsExactlyInAnyOrder(3L, 4L, 5L);
        assertThat(crashed).containsExactly(7L);
        assertThat(done).hasSize(16);
    }

    private void work(long number) {
        if (number >= 3 && number <= 5) {
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (number == 7) {
            throw new IllegalStateException("Seven");
        }
        done.add(number);
    }
}
