package dev.chargehand.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    /** Wait until this thread is interrupted. */
    private static void waitForInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void aThreadThatIsLateIsInterrupted() {
        Deadline deadline = Deadline.within(SHORT);
        waitForInterrupt();
        assertThat(deadline.end()).isFalse();
    }

    @Test
    void aDeadlineBeforeTheNextLookWakesTheWatch() {
        Deadline far = Deadline.within(LONG);
        for (int i = 0; i < 20; i++) {
            Deadline near = Deadline.within(SHORT);
            waitForInterrupt();
            assertThat(near.end()).isFalse();
        }
        assertThat(far.end()).isTrue();
    }

    @Test
    void aThreadIsNotInterruptedForWhatItHasEnded() {
        List<Deadline> ended = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Deadline deadline = Deadline.within(SHORT);
            assertThat(deadline.end()).isTrue();
            deadline.expire();
            ended.add(deadline);
        }
        Deadline last = Deadline.within(SHORT.multipliedBy(2));
        waitForInterrupt();
        assertThat(last.end()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(ended).allMatch(Deadline::end);
    }

    @Test
    void aDeadlineThatIsMadeToExpireInterruptsOnce() {
        Deadline deadline = Deadline.within(LONG);
        deadline.expire();
        assertThat(Thread.interrupted()).isTrue();
        deadline.expire();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(deadline.end()).isFalse();
    }

    /** Threads come and leave while the watch starts, looks and ends. */
    @Test
    void manyThreadsAtOnceAreEachInterruptedInTimeOrNot() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> late = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int thread = i;
                late.add(threads.submit(() -> {
                    int interrupted = 0;
                    for (int round = 0; round < 20; round++) {
                        boolean waits = (thread + round) % 2 == 0;
                        Deadline deadline = Deadline.within(waits ? Duration.ofMillis(1 + round % 5) : LONG);
                        if (waits) {
                            waitForInterrupt();
                        }
                        interrupted += deadline.end() ? 0 : 1;
                    }
                    return interrupted;
                }));
            }
            for (Future<Integer> one : late) {
                assertThat(one.get()).isEqualTo(10);
            }
        }
    }
}
