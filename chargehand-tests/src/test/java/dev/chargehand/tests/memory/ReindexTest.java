package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Reindexed;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All messages of an owner get their vectors at once. */
class ReindexTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final ScopeRef OF_ANN = ScopeRef.resource("ann");

    @TempDir
    Path folder;

    private AgentRuntime running(Store store) {
        return runtime(
                store,
                memory -> memory.lastMessages(0)
                        .semanticRecall(recall -> recall.by(embeddings).threshold(0.2))
                        .dailyTokens(1),
                agent -> agent,
                settings -> settings.closeGrace(Duration.ZERO));
    }

    private static void fill(AgentRuntime runtime, String resource, String thread, int messages) {
        for (int from = 0; from < messages; from += 400) {
            runtime.threads()
                    .append(
                            ThreadOwner.of(resource),
                            thread,
                            IntStream.range(from, Math.min(messages, from + 400))
                                    .mapToObj(i -> Message.user("Unique" + thread + i + " thing"))
                                    .toList());
        }
    }

    private static boolean finds(AgentRuntime runtime, String words) {
        return runtime.memory().search("lead", OF_ANN, words, 1).stream()
                .anyMatch(found -> found.message().text().startsWith(words + " "));
    }

    @Test
    void allMessagesOfAnOwnerAreFoundAfterTheModelWasReplaced() {
        Store store = JdbcStore.sqlite(folder.resolve("runs.db"));
        try (AgentRuntime runtime = running(store)) {
            fill(runtime, "ann", "a", 750);
            fill(runtime, "ann", "b", 3);
            fill(runtime, "bob", "c", 3);
            assertThat(runtime.memory().reindex("lead", OF_ANN)).isEqualTo(new Reindexed(2, 753, 0, Usage.NONE));
        }
        embeddings.isNamed("test/words-2");
        embeddings.uses(Usage.of(10, 0));
        int before = embeddings.texts.size();
        try (AgentRuntime runtime = running(JdbcStore.sqlite(folder.resolve("runs.db")))) {
            assertThat(finds(runtime, "Uniquea0")).isFalse();

            Reindexed done = runtime.memory().reindex("lead", OF_ANN);

            assertThat(done.threads()).isEqualTo(2);
            assertThat(done.messages()).isEqualTo(753);
            assertThat(done.isComplete()).isTrue();
            assertThat(embeddings.texts.stream().skip(before).filter(text -> text.startsWith("Uniquec")))
                    .isEmpty();
            for (String words : List.of("Uniquea0", "Uniquea749", "Uniqueb2")) {
                assertThat(finds(runtime, words)).as(words).isTrue();
            }
            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::model, MemoryUsage::usage)
                    .containsExactly(tuple("test/words-2", done.usage()));
            assertThat(runtime.memory().reindex("lead", OF_ANN).messages()).isZero();
        }
    }

    @Test
    void moreConversationsThanAPageHasAreIndexed() {
        try (AgentRuntime runtime = running(InMemoryStore.keepingEndedRuns())) {
            for (int i = 0; i < 101; i++) {
                fill(runtime, "ann", "t" + i, 1);
            }
            assertThat(runtime.memory().reindex("lead", OF_ANN).threads()).isEqualTo(101);
        }
    }

    @Test
    void whatWasMadeBeforeAFailureStays() {
        try (AgentRuntime runtime = running(InMemoryStore.keepingEndedRuns())) {
            fill(runtime, "ann", "a", 350);
            AtomicInteger calls = new AtomicInteger();
            embeddings.changes(vectors -> {
                if (calls.incrementAndGet() == 5) {
                    throw new ModelException(ModelException.Kind.OVERLOADED, "busy", null);
                }
                return vectors;
            });
            assertThatThrownBy(() -> runtime.memory().reindex("lead", OF_ANN))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("test/words-1");
            Reindexed rest = runtime.memory().reindex("lead", OF_ANN);

            assertThat(rest.messages()).isEqualTo(250); // one step of 100 was stored
            assertThat(finds(runtime, "Uniquea0")).isTrue();
        }
    }

    @Test
    void whatTheStoreFailedToKeepIsMadeByTheNextCall() {
        boolean failed = true;
        for (int nth = 1; failed; nth++) {
            InMemoryStore kept = InMemoryStore.keepingEndedRuns();
            FaultyStore store = FaultyStore.over(kept);
            try (AgentRuntime runtime = running(store);
                    AgentRuntime next = running(kept)) {
                fill(runtime, "ann", "a", 150);
                store.failOn(FaultyStore.Operation.ANY, store.count(FaultyStore.Operation.ANY) + nth);
                try {
                    Reindexed ignored = runtime.memory().reindex("lead", OF_ANN);
                    failed = false; // at each call, by now
                } catch (StoreException e) {
                    assertThat(e.getMessage()).isNotEmpty();
                }
                assertThat(failed || nth > 5).isTrue();
                if (failed) {
                    Reindexed ignored = runtime.memory().reindex("lead", OF_ANN);
                }
                assertThat(finds(next, "Uniquea0")).as("failure %d", nth).isTrue();
                assertThat(next.memory().reindex("lead", OF_ANN)).isEqualTo(new Reindexed(1, 0, 0, Usage.NONE));
            }
        }
    }

    @Test
    void aConversationThatAnotherProcessWorksOnIsLeft() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        MemoryStore memory = store.memory().orElseThrow();
        try (AgentRuntime runtime = running(store)) {
            fill(runtime, "ann", "a", 3);
            fill(runtime, "ann", "b", 3);
            assertThat(memory.take(ANN, "a", "other", Duration.ofMinutes(2))).isTrue();
            Reindexed some = runtime.memory().reindex("lead", OF_ANN);
            assertThat(some).isEqualTo(new Reindexed(1, 3, 1, Usage.NONE));
            memory.giveBack(ANN, "a", "other", -1, null);

            assertThat(runtime.memory().reindex("lead", OF_ANN)).isEqualTo(new Reindexed(2, 3, 0, Usage.NONE));
            assertThat(memory.take(ANN, "a", "other", Duration.ofMinutes(2))).isTrue();
        }
    }

    @Test
    void workOnTheSameConversationWaitsForIt() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        try (AgentRuntime runtime = running(InMemoryStore.keepingEndedRuns())) {
            fill(runtime, "ann", "a", 3);
            AtomicInteger calls = new AtomicInteger();
            embeddings.changes(vectors -> {
                if (calls.incrementAndGet() > 1) {
                    return vectors;
                }
                entered.countDown();
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return vectors;
            });
            CompletableFuture<Reindexed> done =
                    CompletableFuture.supplyAsync(() -> runtime.memory().reindex("lead", OF_ANN));
            entered.await();
            var ignored = runtime.agent("lead")
                    .generate("Later thing", o -> o.thread("a").resource("ann"));
            held.countDown();

            assertThat(done.get().threads()).isEqualTo(1);
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(finds(runtime, "Uniquea0")).isTrue();
            assertThat(finds(runtime, "Later")).isTrue(); // its work waited for the other, and was done then
        }
    }

    @Test
    void aConversationThatIsDeletedMeanwhileIsNoError() {
        try (AgentRuntime runtime = running(JdbcStore.sqlite(folder.resolve("runs.db")))) {
            fill(runtime, "ann", "a", 250);
            fill(runtime, "ann", "b", 3);
            AtomicBoolean forgets = new AtomicBoolean();
            embeddings.changes(vectors -> {
                if (forgets.compareAndSet(false, true)) {
                    assertThat(runtime.threads().delete(ANN, "a")).isTrue();
                }
                return vectors;
            });

            assertThat(runtime.memory().reindex("lead", OF_ANN)).isEqualTo(new Reindexed(1, 3, 0, Usage.NONE));
        }
    }

    @Test
    void workThatIsDueStaysDue() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore faulty = FaultyStore.over(store).failOn(FaultyStore.Operation.TAKE_MEMORY_WORK, 1);
        try (AgentRuntime runtime = running(faulty)) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);

            assertThat(runtime.memory()
                            .reindex("lead", ScopeRef.thread(ANN, "a"))
                            .messages())
                    .isEqualTo(2);

            assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);
        }
    }

    @Test
    void closingTheRuntimeEndsIt() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AgentRuntime runtime = running(store);
        fill(runtime, "ann", "a", 3);
        CountDownLatch never = new CountDownLatch(1);
        embeddings.holdsUntil(never);
        CompletableFuture<Reindexed> done =
                CompletableFuture.supplyAsync(() -> runtime.memory().reindex("lead", OF_ANN));
        while (embeddings.texts.isEmpty()) {
            Thread.onSpinWait();
        }
        runtime.close();
        never.countDown();

        assertThatThrownBy(done::join).hasCauseInstanceOf(ConfigurationException.class);
        assertThat(store.memory().orElseThrow().take(ANN, "a", "other", Duration.ofMinutes(1)))
                .isTrue();
    }

    @Test
    void whatCannotBeIndexedIsRejected() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = running(store);
                AgentRuntime plain = runtime(store, memory -> {});
                AgentRuntime denied = runtime(
                        store,
                        memory -> memory.semanticRecall(r -> r.by(embeddings)),
                        agent -> agent,
                        settings -> settings.accessCheck(access -> false))) {
            fill(runtime, "ann", "a", 3);
            assertThatThrownBy(() -> runtime.memory().reindex("nobody", OF_ANN))
                    .isInstanceOf(ConfigurationException.class);
            assertThatThrownBy(() -> plain.memory().reindex("lead", OF_ANN))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("Agent 'lead' has no semantic recall");
            assertThatThrownBy(() -> runtime.memory().reindex("lead", ScopeRef.thread(ThreadOwner.of("bob"), "a")))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThat(runtime.memory()
                            .reindex("lead", ScopeRef.thread(ANN, "missing"))
                            .threads())
                    .isZero();
            assertThat(denied.memory().reindex("lead", OF_ANN).threads()).isZero();
            assertThat(embeddings.texts).isEmpty();
        }
    }
}
