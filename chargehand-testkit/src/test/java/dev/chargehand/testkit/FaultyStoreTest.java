package dev.chargehand.testkit;

import static dev.chargehand.testkit.FaultyStore.Operation.ANY;
import static dev.chargehand.testkit.FaultyStore.Operation.APPEND;
import static dev.chargehand.testkit.FaultyStore.Operation.EDIT_WORKING_MEMORY;
import static dev.chargehand.testkit.FaultyStore.Operation.FIND;
import static dev.chargehand.testkit.FaultyStore.Operation.HEARTBEAT;
import static dev.chargehand.testkit.FaultyStore.Operation.IS_ALIVE;
import static dev.chargehand.testkit.FaultyStore.Operation.READ_WORKING_MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultyStoreTest {

    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private final Store inner = InMemoryStore.keepingEndedRuns();

    @AutoClose
    private final FaultyStore store = FaultyStore.over(inner);

    @Test
    void theNthCallOfAnOperationFailsAndDoesNothing() {
        store.failOn(HEARTBEAT, 2);

        beat("a");
        assertThatThrownBy(() -> beat("b")).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                .isEqualTo(StoreException.Kind.FAILED));
        beat("c");

        assertThat(inner.isAlive("a")).isTrue();
        assertThat(inner.isAlive("b")).isFalse();
        assertThat(inner.isAlive("c")).isTrue();
    }

    @Test
    void otherOperationsDoNotMoveTheCount() {
        store.failOn(HEARTBEAT, 1);

        assertThat(store.find(new RunId("r"))).isEmpty();
        assertThatThrownBy(() -> beat("a")).isInstanceOf(StoreException.class);
    }

    @Test
    void anyOperationMayBeTheNth() {
        store.failOn(ANY, 3);

        beat("a");
        assertThat(store.isAlive("a")).isTrue();
        assertThatThrownBy(() -> store.find(new RunId("r"))).isInstanceOf(StoreException.class);
        assertThat(store.find(new RunId("r"))).isEmpty();
    }

    @Test
    void callsOfTheMemoryMeetFaultsToo() {
        store.failOn(READ_WORKING_MEMORY, 2).failOn(ANY, 4).failAfter(EDIT_WORKING_MEMORY, 1);
        MemoryStore memory = store.memory().orElseThrow();
        ThreadOwner ann = ThreadOwner.of("ann");

        assertThat(memory.workingMemory(ann, null)).isEmpty();
        assertThatThrownBy(() -> memory.workingMemory(ann, null)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> memory.edit(ann, null, 0, "key", "text", Instant.EPOCH))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> memory.take(ann, "t", "me", Duration.ZERO)).isInstanceOf(StoreException.class);

        assertThat(memory.due(0, 1)).isEmpty();
        assertThat(memory.workingMemory(ann, null)).isPresent();
        assertThat(store.count(ANY)).isEqualTo(5);
        assertThat(store.count(EDIT_WORKING_MEMORY)).isEqualTo(1);
    }

    @Test
    void aFaultMayBeAnyException() {
        store.failOn(HEARTBEAT, 1, () -> new IllegalStateException("mine"));

        assertThatThrownBy(() -> beat("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("mine");
    }

    @Test
    void aCallMayFailAfterItWasDone() {
        store.failAfter(HEARTBEAT, 1);

        assertThatThrownBy(() -> beat("a")).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                .isEqualTo(StoreException.Kind.TIMEOUT));
        assertThat(inner.isAlive("a")).isTrue();
    }

    @Test
    void aHangingCallGoesOnWhenItIsReleased() throws Exception {
        store.hangOn(HEARTBEAT, 1);

        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> beat("a"), THREADS);
        store.awaitHanging(1);
        assertThat(inner.isAlive("a")).isFalse();
        assertThat(call).isNotDone();

        store.release();
        call.get(30, TimeUnit.SECONDS);
        assertThat(inner.isAlive("a")).isTrue();
    }

    @Test
    void aHangingCallEndsWhenTheStoreIsClosed() throws Exception {
        store.hangOn(HEARTBEAT, 1);

        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> beat("a"), THREADS);
        store.awaitHanging(1);
        store.close();

        assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE));
        assertThat(inner.isAlive("a")).isFalse();
    }

    @Test
    void aHangingCallKeepsAnInterruptForLater() throws Exception {
        store.hangOn(HEARTBEAT, 1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            beat("a");
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        store.awaitHanging(1);

        caller.interrupt();
        assertThat(interrupted).isNotDone();
        store.release();

        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aSlowCallGoesOnByItself() {
        store.slowOn(HEARTBEAT, 1, Duration.ofMillis(20));

        long began = System.nanoTime();
        beat("a");

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        assertThat(inner.isAlive("a")).isTrue();
    }

    @Test
    void aSlowCallMayBeReleasedEarly() throws Exception {
        store.slowOn(HEARTBEAT, 1, Duration.ofDays(1));

        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> beat("a"), THREADS);
        store.awaitHanging(1);
        store.release();

        assertThatCode(() -> call.get(30, TimeUnit.SECONDS)).doesNotThrowAnyException();
    }

    @Test
    void callsAreCountedAndFailedOnesToo() {
        store.failOn(HEARTBEAT, 1);
        assertThatThrownBy(() -> beat("a")).isInstanceOf(StoreException.class);
        beat("a");
        assertThat(store.isAlive("a")).isTrue();

        assertThat(store.count(HEARTBEAT)).isEqualTo(2);
        assertThat(store.count(IS_ALIVE)).isEqualTo(1);
        assertThat(store.count(FIND)).isZero();
        assertThat(store.count(APPEND)).isZero();
        assertThat(store.count(ANY)).isEqualTo(3);
    }

    @Test
    void callsAreCountedFromOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.failOn(HEARTBEAT, 0));
    }

    private void beat(String owner) {
        store.heartbeat(owner, Duration.ofHours(1));
    }
}
