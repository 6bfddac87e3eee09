package dev.chargehand.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatFollowsOnEndsIsDoneOnceForThoseThatAreTakenTogether() {
        List<String> seen = new ArrayList<>();
        Map<String, Thread> threads = new ConcurrentHashMap<>();
        CountDownLatch started = new CountDownLatch(3);
        CountDownLatch one = new CountDownLatch(1);
        ParallelCalls calls = new ParallelCalls(3, () -> () -> {}, () -> {});
        calls.<String, String>each(
                List.of("first", "second", "third"),
                name -> name,
                name -> () -> {
                    threads.put(name, Thread.currentThread());
                    started.countDown();
                    return after(name.equals("first") ? started : one, name);
                },
                new ParallelCalls.OnEnd<>() {
                    @Override
                    public List<String> over(String result, boolean place) {
                        if (seen.isEmpty()) {
                            one.countDown();
                            threads.forEach((name, thread) -> joined(thread)); // now both other ends can be taken
                        }
                        seen.add("end" + (place ? " with a place" : ""));
                        return result.equals("second") || result.equals("third")
                                ? List.of("after " + result)
                                : List.of();
                    }

                    @Override
                    public void allOver() {
                        seen.add("all over");
                    }
                });
        assertThat(seen)
                .startsWith("end with a place", "all over", "end with a place", "end with a place", "all over")
                .endsWith("all over")
                .filteredOn(step -> step.startsWith("end"))
                .hasSize(5);
        assertThat(threads).containsOnlyKeys("first", "second", "third", "after second", "after third");
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts this.", e);
        }
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
