package dev.chargehand.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads runs get. */
@Timeout(60)
class RunThreadsTest {

    private final RunWaits waits = new RunWaits();

    @AutoClose
    private final RunThreads threads = new RunThreads(waits);

    private final CountDownLatch held = new CountDownLatch(1);

    /** Start a run that is executed until the others are let go; return its thread. */
    private Thread hold() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        threads.start("held", () -> {
            thread.complete(Thread.currentThread());
            await(held);
        });
        return thread.join();
    }

    private <T> T inARun(Supplier<T> run) {
        CompletableFuture<T> value = new CompletableFuture<>();
        threads.start("run", () -> value.complete(run.get()));
        return value.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void fewRunsGetKeptThreadsAndManyGetVirtualOnes() {
        List<Boolean> virtual = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            virtual.add(hold().isVirtual());
        }
        held.countDown();
        assertThat(virtual.subList(0, 2)).containsOnly(false);
        assertThat(virtual.subList(2, 10)).containsOnly(true);
    }

    @Test
    void runsThatFollowEachOtherShareAThread() {
        List<Thread> seen = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            seen.add(inARun(Thread::currentThread));
        }
        assertThat(seen).anySatisfy(thread -> assertThat(thread.isVirtual()).isFalse());
        assertThat(seen.stream().filter(thread -> !thread.isVirtual()).distinct())
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void afterManyRunsSomeMoreGetVirtualThreadsBeforeOneGetsAKeptThread() throws InterruptedException {
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            many.add(hold());
        }
        held.countDown();
        for (Thread thread : many) {
            awaitEnd(thread);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(isVirtual()).as("run %d", i).isTrue();
        }
        while (isVirtual()) {
            Thread.onSpinWait(); // the kept threads are about to be free
        }
    }

    @Test
    void aRunGetsAVirtualThreadIfRunsMostlyWaitForOtherThreads() {
        for (int i = 0; i < 100; i++) {
            waits.onThread();
            waits.onThread();
            waits.onThread();
            waits.onSocket();
        }
        assertThat(isVirtual()).isTrue();
    }

    @Test
    void aRunGetsAKeptThreadAsSoonAsRunsWaitForSocketsAgain() {
        for (int i = 0; i < 1_000; i++) {
            waits.onThread();
        }
        for (int i = 0; i < 50; i++) {
            waits.onSocket();
            waits.onThread();
        }
        assertThat(isVirtual()).isFalse();
    }

    /** Wait for the end of a run: a kept thread has the name of no run then. */
    private static void awaitEnd(Thread thread) throws InterruptedException {
        if (thread.isVirtual()) {
            thread.join();
        }
        while (thread.getName().equals("held") && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    private boolean isVirtual() {
        return inARun(() -> Thread.currentThread().isVirtual());
    }

    @Test
    void aRunHasTheClassLoaderOfItsCallerAndNoneOfItsThreadLocals() {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        ClassLoader mine = new ClassLoader() {};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        local.set("of the caller");
        Thread.currentThread().setContextClassLoader(mine);
        try {
            for (int i = 0; i < 5; i++) { // on kept and on virtual threads
                assertThat(inARun(() -> Thread.currentThread().getContextClassLoader()))
                        .isSameAs(mine);
                assertThat(inARun(() -> String.valueOf(local.get()))).isEqualTo("null");
                Thread ignored = hold();
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            local.remove();
            held.countDown();
        }
    }

    @Test
    void anInterruptIsNotLeftToTheNextRun() {
        for (int i = 0; i < 20; i++) {
            boolean was = inARun(() -> {
                boolean interrupted = Thread.currentThread().isInterrupted();
                Thread.currentThread().interrupt();
                return interrupted;
            });
            assertThat(was).isFalse();
        }
    }

    @Test
    void runsAreExecutedAfterItWasClosed() {
        threads.close();
        assertThat(inARun(() -> "executed")).isEqualTo("executed");
    }
}
