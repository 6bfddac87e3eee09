package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tests.Scripts;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work on memory that a process leaves is done by another one. */
class MemoryWorkTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    @TempDir
    Path folder;

    private Memory.Builder byWords(Memory.Builder memory) {
        return memory.lastMessages(0)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2));
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups) {
        return runtime(store, this::byWords, agent -> agent, runtime -> runtime.wakeups(wakeups)
                .closeGrace(Duration.ZERO));
    }

    private static List<String> search(AgentRuntime runtime, String words) {
        List<String> texts = new ArrayList<>();
        for (FoundMessage found : runtime.memory().search("lead", ScopeRef.resource("ann"), words, 4)) {
            texts.add(found.message().text());
        }
        return texts;
    }

    /** A store whose process does not come to the work on memory. */
    private static Store withoutWork(Store store) {
        FaultyStore faulty = FaultyStore.over(store);
        for (int nth = 1; nth <= 10; nth++) {
            faulty.failOn(FaultyStore.Operation.TAKE_MEMORY_WORK, nth);
        }
        return faulty;
    }

    @Test
    void recoverDoesTheWorkThatADeadProcessHasLeft() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime dead = runtime(withoutWork(store), Wakeups.off())) {
            say(dead, "ann", "t", "My dog Fido likes apples.");
            assertThat(search(dead, "dog Fido")).isEmpty();
        }
        assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);
        try (AgentRuntime other = runtime(store, Wakeups.off())) {
            other.recover();
            assertThat(other.memory().settled(LONG)).isTrue();
            assertThat(search(other, "dog Fido")).contains("My dog Fido likes apples.");
            assertThat(store.memory().orElseThrow().due(0, 10)).isEmpty();
        }
    }

    @Test
    void wakeUpsDoTheWorkThatADeadProcessHasLeft() throws InterruptedException {
        Store store = JdbcStore.sqlite(folder.resolve("runs.db"));
        try (AgentRuntime dead = runtime(withoutWork(store), Wakeups.off())) {
            say(dead, "ann", "t", "My dog Fido likes apples.");
        }
        Store again = JdbcStore.sqlite(folder.resolve("runs.db"));
        try (AgentRuntime other = runtime(again, Wakeups.all())) {
            long until = System.nanoTime() + LONG.toNanos();
            while (search(other, "dog Fido").isEmpty() && System.nanoTime() < until) {
                TimeUnit.MILLISECONDS.sleep(50); // nothing says that another process has done the work
            }
            assertThat(search(other, "dog Fido")).contains("My dog Fido likes apples.");
        }
    }

    @Test
    void aLongConversationIsIndexedFromItsEnd() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own())) {
            for (int page = 0; page < 2; page++) {
                List<Message> messages = new ArrayList<>();
                for (int i = 0; i < 400; i++) {
                    messages.add(Message.user("Unique" + (page * 400 + i) + " thing"));
                }
                runtime.threads().append(ANN, "t", messages);
            }
            say(runtime, "ann", "t", "Hello");

            assertThat(search(runtime, "Unique799")).contains("Unique799 thing");
            assertThat(search(runtime, "Unique1")).doesNotContain("Unique1 thing");
            say(runtime, "ann", "t", "Hello again");
            assertThat(search(runtime, "Unique1")).contains("Unique1 thing");
        }
    }

    @Test
    void aThreadThatIsMadeAgainWhileItIsIndexedHasTheVectorsOfItsOwnMessages() {
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(folder.resolve("runs.db")), Wakeups.own())) {
            AtomicBoolean isMadeAgain = new AtomicBoolean();
            embeddings.changes(vectors -> {
                if (vectors.size() > 1 && isMadeAgain.compareAndSet(false, true)) {
                    assertThat(runtime.threads().delete(ANN, "t")).isTrue();
                    runtime.threads().append(ANN, "t", numbered("Later", 80));
                }
                return vectors;
            });
            runtime.threads().append(ANN, "t", numbered("Earlier", 150));
            say(runtime, "ann", "t", "Hello");
            assertThat(isMadeAgain).isTrue();
            say(runtime, "ann", "t", "Hello again");

            for (int i = 0; i < 80; i++) {
                FoundMessage found = runtime.memory()
                        .search("lead", ScopeRef.resource("ann"), "Later" + i + " thing", 1)
                        .getFirst();
                assertThat(found.message().text()).isEqualTo("Later" + i + " thing");
                assertThat(found.score()).isGreaterThan(0.99);
            }
        }
    }

    private static List<Message> numbered(String word, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Message.user(word + i + " thing"))
                .toList();
    }

    @Test
    void workThatTheStoreInterruptsStaysDue() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore faulty = FaultyStore.over(store).failOn(FaultyStore.Operation.INDEX_THREAD, 2);
        try (AgentRuntime runtime = runtime(faulty, Wakeups.own())) {
            say(runtime, "ann", "t", "My dog Fido likes apples.");
            assertThat(search(runtime, "dog Fido")).isEmpty();
            assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);

            runtime.recover();
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(search(runtime, "dog Fido")).contains("My dog Fido likes apples.");
        }
    }

    /** What a store does not take would be paid for again at each look, every 5 seconds, for as long as its disk is full. */
    @Test
    void workThatTheStoreDoesNotTakeIsNotPaidForAtEachLook() throws InterruptedException {
        ManualClock clock = new ManualClock(Instant.EPOCH);
        Semaphore looks = new Semaphore(0);
        FaultyStore faulty = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        for (int nth = 1; nth <= 10; nth++) {
            faulty.failOn(FaultyStore.Operation.TITLE_THREAD, nth);
        }
        Store store = withMemory(faulty, (call, method) -> {
            if (method.equals("due")) {
                looks.release();
            }
            return call.call();
        });
        AtomicInteger titles = new AtomicInteger();
        Turn[] turns = {
            Turn.answers(request -> ModelResponse.text("Trip " + titles.incrementAndGet(), Usage.of(1, 1)))
                    .forever()
        };
        Model model = Scripts.on("titles", turns).modelFor("titles");
        try (AgentRuntime runtime = runtime(
                store, memory -> memory.title(model), agent -> agent, settings -> settings.wakeups(Wakeups.all())
                        .timeSource(clock))) {
            say(runtime, "ann", "t", "Plan a trip to Oslo");
            assertThat(titles).hasValue(1);
            for (int look = 1; look <= 2; look++) {
                looks.drainPermits();
                clock.advance(Duration.ofSeconds(5));
                looks.acquire(); // the thread is due in the store
                clock.advance(Duration.ofSeconds(5));
                looks.acquire(); // so what the look before it found was handed on
                assertThat(runtime.memory().settled(LONG)).isTrue();
                assertThat(titles).hasValue(1);
            }
            clock.advance(Duration.ofSeconds(40)); // a minute since it failed
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(titles).hasValue(2);
            say(runtime, "ann", "t", "To Bergen, too");
            assertThat(titles).hasValue(3);
        }
    }

    @Test
    void closingDoesNotWaitForAModelThatHangs() {
        CountDownLatch never = new CountDownLatch(1);
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AgentRuntime runtime = runtime(store, Wakeups.own());
        try {
            say(runtime, "ann", "t", "My dog Fido likes apples.");
            embeddings.holdsUntil(never);
            assertThat(runtime.agent("lead")
                            .generate("What else?", o -> o.thread("t").resource("ann"))
                            .text())
                    .isEqualTo("Noted.");
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
        } finally {
            runtime.close();
            never.countDown();
        }
        assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);
        assertThatThrownBy(() -> runtime.agent("lead").generate("Hello")).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aRunThatEndsBeforeTheWorkIsGivenBackIsNotForgotten() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AtomicBoolean meanwhile = new AtomicBoolean();
        try (AgentRuntime other = runtime(store, Wakeups.own());
                AgentRuntime runtime = runtime(
                        withMemory(store, (call, method) -> {
                            if (method.equals("giveBack") && meanwhile.compareAndSet(false, true)) {
                                say(other, "ann", "t", "My dog Fido likes apples."); // the work is not free for it
                            }
                            return call.call();
                        }),
                        Wakeups.own())) {
            say(runtime, "ann", "t", "The ship sails to Norway.");

            assertThat(meanwhile).isTrue();
            assertThat(search(runtime, "dog Fido apples")).contains("My dog Fido likes apples.");
        }
    }

    @Test
    void closingWaitsForTheWorkOfTheLastRuns() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, Wakeups.own())) {
            for (int i = 0; i < 20; i++) {
                String thread = "t" + i;
                var ignored = runtime.agent("lead")
                        .generate("Unique" + i, o -> o.thread(thread).resource("ann"));
            }
        }
        try (AgentRuntime runtime = runtime(store, Wakeups.off())) {
            for (int i = 0; i < 20; i++) {
                assertThat(search(runtime, "Unique" + i)).contains("Unique" + i);
            }
        }
    }
}
