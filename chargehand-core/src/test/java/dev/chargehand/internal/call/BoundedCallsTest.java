package dev.chargehand.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.internal.thread.PooledThreads;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedCallsTest {

    private final SystemTimeSource time = new SystemTimeSource();
    private final ForeignThreads threads = ForeignThreads.open();
    private final BoundedCalls callouts = new BoundedCalls(time, threads, List.of());
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<Thread> busy = new ArrayList<>();

    @AfterEach
    void letGo() {
        stop.set(true);
        time.close();
        threads.close();
    }

    /** Keeps every carrier busy, so that no other virtual thread begins. */
    private void occupyCarriers() throws InterruptedException {
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch running = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            busy.add(Thread.ofVirtual().start(() -> {
                running.countDown();
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            }));
        }
        running.await();
    }

    private void freeCarriers() throws InterruptedException {
        stop.set(true);
        for (Thread thread : busy) {
            thread.join();
        }
        // Threads begin in the order in which they were started: what was given up has had its turn after these.
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(() -> {}).join();
        }
    }

    @Test
    void workThatTimeRanOutForBeforeItBeganNeverBegins() throws Exception {
        occupyCarriers();
        AtomicBoolean started = new AtomicBoolean();
        assertThatThrownBy(() -> callouts.call(
                        CallSite.of(CallInfo.Kind.TOOL, "late"), Duration.ofMillis(20), new Cancellation(), () -> {
                            started.set(true);
                            return "";
                        }))
                .isInstanceOf(BoundedCalls.TimedOutException.class);
        freeCarriers();
        assertThat(started).isFalse();
        assertThat(callouts.abandoned()).isEmpty();
    }

    @Test
    void workOfARunThatIsCancelledBeforeItBeganNeverBegins() throws Exception {
        occupyCarriers();
        AtomicBoolean started = new AtomicBoolean();
        Cancellation cancellation = new Cancellation();
        Thread canceller = Thread.ofPlatform().start(() -> cancellation.cancel(new StopReason.Cancelled("caller")));
        assertThatThrownBy(() -> callouts.call(
                        CallSite.of(CallInfo.Kind.TOOL, "late"), Duration.ofMinutes(1), cancellation, () -> {
                            started.set(true);
                            return "";
                        }))
                .isInstanceOf(RunInterruptedException.class);
        canceller.join();
        freeCarriers();
        assertThat(started).isFalse();
        assertThat(callouts.abandoned()).isEmpty();
    }

    @Test
    void pooledThreadsWorkWhileEveryCarrierIsHeld() throws Exception {
        occupyCarriers();
        try (ForeignThreads pooled = new PooledThreads()) {
            BoundedCalls onPool = new BoundedCalls(time, pooled, List.of());
            assertThat(onPool.call(
                            CallSite.of(CallInfo.Kind.TOOL, "work"),
                            Duration.ofMinutes(1),
                            new Cancellation(),
                            () -> "worked"))
                    .isEqualTo("worked");
        }
    }

    @Test
    void aPooledThreadIsInterruptedForItsOwnWorkOnly() throws Exception {
        try (ForeignThreads pooled = new PooledThreads()) {
            BoundedCalls onPool = new BoundedCalls(time, pooled, List.of());
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch interrupted = new CountDownLatch(1);
            Cancellation cancellation = new Cancellation();
            Thread canceller = Thread.ofPlatform().start(() -> {
                awaitDown(started);
                cancellation.cancel(new StopReason.Cancelled("caller"));
            });
            assertThatThrownBy(() -> onPool.call(
                            CallSite.of(CallInfo.Kind.TOOL, "late"), Duration.ofMinutes(1), cancellation, () -> {
                                started.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                } finally {
                                    Thread.currentThread().interrupt();
                                    interrupted.countDown();
                                }
                                return "";
                            }))
                    .isInstanceOf(RunInterruptedException.class);
            canceller.join();
            interrupted.await();
            for (int i = 0; i < 100; i++) {
                assertThat(onPool.call(
                                CallSite.of(CallInfo.Kind.TOOL, "next"),
                                Duration.ofMinutes(1),
                                new Cancellation(),
                                Thread::interrupted))
                        .isFalse();
            }
        }
    }

    @Test
    void workThatEndsByItselfRunsOnTheCallingThread() throws Exception {
        CallSite site = CallSite.of(CallInfo.Kind.STORE, "read");
        assertThat(callouts.callHere(site, Thread::currentThread)).isSameAs(Thread.currentThread());
        RuntimeException fault = new IllegalStateException("fault");
        assertThatThrownBy(() -> callouts.callHere(site, () -> {
                    throw fault;
                }))
                .isInstanceOfSatisfying(BoundedCalls.ThrewException.class, e -> assertThat(e.thrown())
                        .isSameAs(fault));
    }

    @Test
    void workThatIsClosedWhenItsTimeIsUpHasTimedOut() {
        CallSite site = CallSite.of(CallInfo.Kind.MODEL, "silent");
        CompletableFuture<String> waited = new CompletableFuture<>();
        Deadline deadline = new Deadline(time, Duration.ofMillis(20));
        assertThatThrownBy(() -> callouts.callHere(
                        site,
                        deadline,
                        new Cancellation(),
                        () -> waited.completeExceptionally(new IllegalStateException("closed")),
                        waited::join))
                .isInstanceOf(BoundedCalls.TimedOutException.class);
    }

    @Test
    void workThatReturnsAlthoughItsTimeWasUpHasTimedOut() {
        CallSite site = CallSite.of(CallInfo.Kind.MODEL, "late");
        CompletableFuture<String> waited = new CompletableFuture<>();
        Deadline deadline = new Deadline(time, Duration.ofMillis(20));
        assertThatThrownBy(() -> callouts.callHere(
                        site, deadline, new Cancellation(), () -> waited.complete("after the close"), waited::join))
                .isInstanceOf(BoundedCalls.TimedOutException.class);
    }

    @Test
    void workThatEndedIsNotClosedAnyMore() throws Exception {
        CallSite site = CallSite.of(CallInfo.Kind.MODEL, "quick");
        LateAlarms late = new LateAlarms(new ArrayList<>());
        AtomicBoolean closed = new AtomicBoolean();
        Deadline deadline = new Deadline(late, Duration.ofMinutes(1));
        BoundedCalls calls = new BoundedCalls(late, threads, List.of());
        assertThat(calls.callHere(site, deadline, new Cancellation(), () -> closed.set(true), () -> {
                    deadline.restart(0);
                    return "done";
                }))
                .isEqualTo("done");
        assertThat(late.tasks).hasSize(1).allSatisfy(Runnable::run);
        assertThat(closed).isFalse();
    }

    @Test
    void workOfACancelledRunIsNotBegun() {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel(new StopReason.Cancelled("caller"));
        AtomicBoolean started = new AtomicBoolean();
        assertThatThrownBy(() -> callouts.callHere(
                        CallSite.of(CallInfo.Kind.MODEL, "late"),
                        new Deadline(time, Duration.ofMinutes(1)),
                        cancellation,
                        () -> {},
                        () -> {
                            started.set(true);
                            return "";
                        }))
                .isInstanceOf(RunInterruptedException.class);
        assertThat(started).isFalse();
    }

    /** Alarms that ring although they were cancelled, which had begun to ring by then. */
    private record LateAlarms(List<Runnable> tasks) implements TimeSource {

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            tasks.add(task);
            return () -> {};
        }
    }

    private static void awaitDown(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts this.", e);
        }
    }
}
