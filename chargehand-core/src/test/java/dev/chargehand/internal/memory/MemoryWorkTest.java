package dev.chargehand.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.HashedWords;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The work on the memory of threads, without a runtime around it. */
class MemoryWorkTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    private final SystemTimeSource machine = new SystemTimeSource();
    private final Queue<NotedAlarm> alarms = new ConcurrentLinkedQueue<>();
    private final ForeignThreads threads = ForeignThreads.open();
    private final Store store = InMemoryStore.create();
    private volatile boolean late;

    /** An alarm that a test can look at. */
    private static final class NotedAlarm {
        private volatile boolean cancelled;
    }

    /** The machine's clock, whose longer alarms are noted and never ring, or ring before they are known if the process is late. */
    private final TimeSource time = new TimeSource() {
        @Override
        public Instant now() {
            return machine.now();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public TimeSource.Alarm schedule(Duration delay, Runnable task) {
            if (!List.of(Duration.ofMinutes(1), Duration.ofMinutes(4)).contains(delay)) {
                return machine.schedule(delay, task);
            }
            if (late) {
                task.run();
            }
            NotedAlarm alarm = new NotedAlarm();
            alarms.add(alarm);
            return () -> alarm.cancelled = true;
        }
    };

    /** An embedding model that does something before it answers. */
    private record Before(Step step) implements EmbeddingModel {

        private interface Step {
            void run() throws InterruptedException;
        }

        @Override
        public String name() {
            return "test/words";
        }

        @Override
        public OptionalInt dimensions() {
            return new HashedWords().dimensions();
        }

        @Override
        public boolean symmetric() {
            return true;
        }

        @Override
        public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
            step.run();
            return new HashedWords().embed(request);
        }
    }

    private MemoryWork work() {
        return work(store);
    }

    private MemoryWork work(Store used) {
        Redactor redactor = new Redactor();
        Embedders embedders = new Embedders(
                name -> {
                    throw new IllegalStateException("No model has the name " + name + ".");
                },
                Embedders.RuntimeModel.NONE,
                redactor);
        return new MemoryWork(
                used,
                time,
                new BoundedCalls(time, threads, List.of()),
                embedders,
                new SideModels(choice -> List.of(), redactor),
                "worker");
    }

    private MemoryWork.Task task(String thread, EmbeddingModel model) {
        return task(thread, "m", model);
    }

    private MemoryWork.Task task(String thread, String id, EmbeddingModel model) {
        Message message = Message.user("My dog Fido likes apples.").withId(id);
        ThreadRecord ignored = store.appendToThread(
                new ThreadAppend(thread, ANN, null, null, List.of(new ThreadEntry(id, MessageCodec.write(message))))
                        .memoryOf("lead"),
                Instant.now());
        Memory memory =
                Memory.builder().semanticRecall(recall -> recall.by(model)).build();
        return MemoryWork.Task.of(Store.LOCAL, thread, ANN, memory, true, true, title -> {});
    }

    @AfterEach
    void close() {
        machine.close();
        threads.close();
    }

    @Test
    void aThreadThatFailsTwiceHasOneNextTry() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        MemoryWork.Task task = task("t", new Before(() -> {
            entered.countDown();
            held.await();
            throw new IllegalStateException("The model is down.");
        }));
        MemoryWork work = work();
        work.add(task);
        entered.await();
        work.add(task);
        held.countDown();

        assertThat(work.await(Duration.ofMinutes(1))).isTrue();
        assertThat(alarms).hasSize(2).filteredOn(alarm -> !alarm.cancelled).hasSize(1);

        work.add(task("t", new Before(() -> {})));
        assertThat(work.await(Duration.ofMinutes(1))).isTrue();
        assertThat(alarms).hasSize(2).allMatch(alarm -> alarm.cancelled);
        work.close();
    }

    @Test
    void workThatFailsWhileItsRuntimeIsClosedPlansNoNextTry() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        MemoryWork.Task task = task("t", new Before(() -> {
            entered.countDown();
            held.await();
            throw new IllegalStateException("The model is down.");
        }));
        MemoryWork work = work();
        work.add(task);
        entered.await();
        Thread closer = Thread.ofVirtual().start(work::close);
        while (work.enter(Store.LOCAL, "other")) {
            work.leave(Store.LOCAL, "other");
            Thread.onSpinWait();
        }
        held.countDown();
        closer.join();

        assertThat(alarms).isEmpty();
    }

    @Test
    void aNextTryThatIsMadeBeforeItIsKnownDoesNotKeepTheThreadFromLaterWork() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        EmbeddingModel model = new Before(() -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("The model is down.");
            }
        });
        late = true;
        MemoryWork work = work();
        work.add(task("t", model));
        assertThat(work.await(Duration.ofMinutes(1))).isTrue();
        assertThat(tries).hasValue(2);

        work.addDue(task("t", "n", model));

        assertThat(work.await(Duration.ofMinutes(1))).isTrue();
        assertThat(tries).hasValue(3);
        work.close();
    }

    @Test
    void anotherProcessCanTryWhatFailedLater() throws Exception {
        MemoryWork.Task task = task("t", new Before(() -> {
            throw new IllegalStateException("The model is down.");
        }));
        Queue<Object> dueAgain = new ConcurrentLinkedQueue<>();
        MemoryStore memory = store.memory().orElseThrow();
        MemoryStore watchedMemory = proxy(MemoryStore.class, (self, method, given) -> {
            if (method.getName().equals("giveBack")) {
                dueAgain.add(Objects.requireNonNull(given[4]));
            }
            return method.invoke(memory, given);
        });
        Store watched = proxy(Store.class, (self, method, given) -> switch (method.getName()) {
            case "memory" -> Optional.of(watchedMemory);
            case "forTenant" -> self;
            default -> method.invoke(store, given);
        });
        Instant before = machine.now();
        MemoryWork work = work(watched);
        work.add(task);

        assertThat(work.await(Duration.ofMinutes(1))).isTrue();
        assertThat(dueAgain).singleElement().satisfies(at -> assertThat((Instant) at)
                .isBetween(before.plusSeconds(60), machine.now().plusSeconds(60)));
        work.close();
    }

    private static <T> T proxy(Class<T> type, InvocationHandler behaviour) {
        return type.cast(
                Proxy.newProxyInstance(MemoryWorkTest.class.getClassLoader(), new Class<?>[] {type}, behaviour));
    }

    @Test
    void closingFinishesTheWorkThatWaits() {
        CountDownLatch added = new CountDownLatch(1);
        EmbeddingModel slow = new Before(added::await);
        MemoryWork work = work();
        List<String> all = IntStream.range(0, 20).mapToObj(i -> "t" + i).toList();
        all.stream().map(thread -> task(thread, slow)).forEach(work::add);
        assertThat(work.waiting()).isPositive();
        added.countDown();

        work.close();

        MemoryStore memory = store.memory().orElseThrow();
        VectorSpace space =
                new VectorSpace("test/words", new HashedWords().dimensions().orElseThrow(), 1);
        assertThat(all).allMatch(thread -> memory.indexed(ANN, thread, space).isPresent());
        assertThat(memory.due(0, 100)).isEmpty();
    }
}
