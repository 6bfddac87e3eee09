package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.thread.ThreadOwner;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of a store's memory end as all its calls do. */
class BoundedMemoryStoreTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final SystemTimeSource time = new SystemTimeSource();
    private final ForeignThreads threads = ForeignThreads.open();
    private final BoundedCalls callouts = new BoundedCalls(time, threads, List.of());
    private final MemoryStore memory = InMemoryStore.create().memory().orElseThrow();

    @AfterEach
    void letGo() {
        time.close();
        threads.close();
    }

    /** What a test does instead of a call, or around it. */
    private interface Behaviour {
        @Nullable
        Object call(String method, Callable call) throws Exception;
    }

    private interface Callable {
        @Nullable
        Object call() throws Exception;
    }

    private MemoryStore bounded(Duration limit, Behaviour behaviour) {
        MemoryStore watched = proxy(
                MemoryStore.class,
                (self, method, args) -> behaviour.call(method.getName(), () -> invoke(method, memory, args)));
        Store store = proxy(
                Store.class,
                (self, method, args) -> method.getName().equals("memory") ? Optional.of(watched) : Optional.empty());
        return BoundedStore.over(store, callouts, limit).memory().orElseThrow();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object invoke(Method method, Object target, Object[] args) throws Exception {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void aCallThatHangsEndsWithATimeOut() {
        CountDownLatch never = new CountDownLatch(1);
        MemoryStore bounded = bounded(Duration.ofMillis(50), (method, call) -> {
            never.await();
            return call.call();
        });

        assertThatThrownBy(() -> bounded.due(0, 1))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.TIMEOUT));
    }

    @Test
    void aCallThatThrowsAnythingEndsWithATypedError() {
        MemoryStore bounded = bounded(Duration.ofMinutes(1), (method, call) -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> bounded.workingMemory(ANN, null))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FAILED));
    }

    @Test
    void anEditWhoseOutcomeIsUnknownIsFoundByItsKey() {
        int[] calls = new int[1];
        MemoryStore bounded = bounded(Duration.ofMinutes(1), (method, call) -> {
            Object result = call.call();
            if (calls[0]++ == 0) {
                throw new StoreException(StoreException.Kind.TIMEOUT, "Stored, but not answered.", null);
            }
            return result;
        });

        assertThat(bounded.edit(ANN, null, 0, "key", "text", NOW)).isEqualTo(new WorkingMemoryEdit.Stored(1));
        assertThat(bounded.edit(ANN, null, 0, "key", "text", NOW)).isEqualTo(new WorkingMemoryEdit.Known(1));
        assertThat(calls[0]).isEqualTo(3);
    }

    @Test
    void anEditThatWasNotStoredIsMadeByTheSecondAttempt() {
        int[] calls = new int[1];
        MemoryStore bounded = bounded(Duration.ofMinutes(1), (method, call) -> {
            if (calls[0]++ == 0) {
                throw new StoreException(StoreException.Kind.TIMEOUT, "Not stored.", null);
            }
            return call.call();
        });

        assertThat(bounded.edit(ANN, null, 0, "key", "text", NOW)).isEqualTo(new WorkingMemoryEdit.Stored(1));
    }
}
