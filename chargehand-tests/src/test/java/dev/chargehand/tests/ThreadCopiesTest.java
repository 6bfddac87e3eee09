package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadCopy;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.ThreadRecord.Source;
import dev.chargehand.thread.Threads;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of threads: of what they are, for whom, and who may see that. */
class ThreadCopiesTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final ThreadOwner BOB = ThreadOwner.of("bob");

    @TempDir
    Path folder;

    private Store store(boolean durable) {
        return durable ? JdbcStore.sqlite(folder.resolve("store.db")) : InMemoryStore.create();
    }

    private static AgentRuntime over(Store store) {
        return AgentRuntime.builder().store(store).providers().build();
    }

    private static void say(Threads threads, ThreadOwner owner, String thread, String... texts) {
        ThreadRecord unused = threads.append(
                owner, thread, List.of(texts).stream().map(Message::user).toList());
    }

    private static ThreadRecord copy(Threads threads, String thread, String id) {
        return threads.copy(ANN, thread, c -> c.threadId(id));
    }

    private static List<String> ids(List<ThreadRecord> threads) {
        return threads.stream().map(ThreadRecord::threadId).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLineageOfACopyGoesBackToItsFirstSource(boolean durable) {
        try (AgentRuntime runtime = over(store(durable))) {
            Threads threads = runtime.threads();
            say(threads, ANN, "first", "One.", "Two.");

            ThreadRecord second =
                    threads.copy(ANN, "first", c -> c.threadId("second").before(1));
            ThreadRecord third = copy(threads, "second", "third");
            ThreadRecord other = copy(threads, "first", "other");

            assertThat(second.source()).contains(new Source("first", ANN));
            assertThat(second.copiedLength()).hasValue(1);
            assertThat(threads.lineage(ANN, "third"))
                    .containsExactly(second, threads.find(ANN, "first").orElseThrow());
            assertThat(threads.lineage(ANN, "first")).isEmpty();
            assertThat(threads.lineage(ANN, "missing")).isEmpty();
            assertThat(threads.copies(ANN, "first", 0, 9)).containsExactlyInAnyOrder(second, other);
            assertThat(threads.copies(ANN, "first", 1, 1)).hasSize(1);
            assertThat(threads.copies(ANN, "second", 0, 9)).containsExactly(third);
            assertThat(threads.copies(ANN, "missing", 0, 9)).isEmpty();

            assertThat(threads.delete(ANN, "second")).isTrue();
            assertThat(threads.lineage(ANN, "third")).isEmpty();
            assertThat(threads.find(ANN, "third").orElseThrow().copiedLength()).hasValue(1);
            assertThat(ids(threads.copies(ANN, "first", 0, 9))).containsExactly("other");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyForAnotherOwnerIsContinuedByThatOwnerOnly(boolean durable) {
        Agent clerk = Agent.builder("clerk").model("none/none").build();
        try (TestRuntime test = Crew.playing(
                store(durable), Scripts.on("clerk").says("Hello.").then().says("Again."), clerk)) {
            Threads threads = test.runtime().threads();
            test.agent("clerk").generate("Hi.", o -> o.thread("t").resource("ann"));

            ThreadRecord copy = threads.copy(ANN, "t", c -> c.toOwner(BOB).changes(t -> t.title("For Bob")));
            test.agent("clerk").generate("And?", o -> o.thread(copy.threadId()).resource("bob"));

            assertThat(copy.owner()).isEqualTo(BOB);
            assertThat(copy.title()).contains("For Bob");
            assertThat(test.thread(copy.threadId(), "bob"))
                    .extracting(Message::text)
                    .containsExactly("Hi.", "Hello.", "And?", "Again.");
            assertThatThrownBy(() -> threads.find(ANN, copy.threadId())).isInstanceOf(ThreadOwnershipException.class);
            assertThat(test.thread("t", "ann")).hasSize(2);
            assertThat(threads.copies(ANN, "t", 0, 9)).isEmpty();
            assertThat(threads.lineage(BOB, copy.threadId()))
                    .as("ends where a source belongs to another owner")
                    .isEmpty();

            assertThat(test.runtime().memory().forget("ann").threads()).isEqualTo(1);
            assertThat(threads.find(BOB, copy.threadId()).orElseThrow().source())
                    .isEmpty();
            assertThat(test.thread(copy.threadId(), "bob")).hasSize(4);
        }
    }

    @Test
    void aCopyThatCannotBeMadeLeavesNothing() {
        try (AgentRuntime runtime = over(InMemoryStore.create())) {
            Threads threads = runtime.threads();
            say(threads, ANN, "t", "One.");
            say(threads, BOB, "bobs", "One.");
            ThreadOwner ofAgent = new ThreadOwner("bob", "boss/clerk");

            for (UnaryOperator<ThreadCopy> how : List.<UnaryOperator<ThreadCopy>>of(
                    c -> c.threadId("t"),
                    c -> c.threadId("bobs"),
                    c -> c.threadId(" "),
                    c -> c.toOwner(ThreadOwner.of(" ")),
                    c -> c.toOwner(ofAgent),
                    c -> c.before(-1),
                    c -> null)) {
                assertThatThrownBy(() -> threads.copy(ANN, "t", how)).isInstanceOf(ConfigurationException.class);
            }
            assertThatThrownBy(() -> threads.copy(BOB, "t", c -> c.toOwner(BOB)))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> threads.copies(BOB, "t", 0, 9)).isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> threads.lineage(BOB, "t")).isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> threads.copies(ANN, "t", 0, 1_001)).isInstanceOf(ConfigurationException.class);
            assertThatThrownBy(() -> threads.copies(ANN, "t", -1, 9)).isInstanceOf(ConfigurationException.class);
            assertThat(threads.list("ann", 0, 9)).hasSize(1);
            assertThat(threads.list("bob", 0, 9)).hasSize(1);
        }
    }

    @Test
    void onlyCopiesAndSourcesThatTheCallerMayOpenAreSeen() {
        Set<String> denied = new HashSet<>();
        Store store = InMemoryStore.create();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .providers()
                .accessCheck(access -> !denied.contains(access.id())
                        && access.resourceId().filter(denied::contains).isEmpty())
                .build()) {
            Threads threads = runtime.threads();
            say(threads, ANN, "a", "One.");
            copy(threads, "a", "b");
            copy(threads, "b", "c");
            copy(threads, "b", "d");
            assertThat(ids(threads.lineage(ANN, "d"))).containsExactly("b", "a");

            denied.addAll(List.of("a", "c"));
            assertThat(ids(threads.copies(ANN, "b", 0, 9))).containsExactly("d");
            assertThat(ids(threads.lineage(ANN, "d"))).containsExactly("b");
            assertThat(threads.lineage(ANN, "d").getFirst().source()).isEmpty();
            assertThat(threads.find(ANN, "b").orElseThrow().source()).isEmpty();
            assertThat(threads.find(ANN, "b").orElseThrow().copiedLength()).hasValue(1);
            assertThat(threads.list("ann", 0, 9))
                    .extracting(ThreadRecord::source)
                    .containsExactlyInAnyOrder(Optional.empty(), Optional.of(new Source("b", ANN)));
            assertThat(threads.change(ANN, "b", t -> t.title("B")).source()).isEmpty();
            assertThat(threads.copies(ANN, "a", 0, 9)).isEmpty();
            assertThat(threads.lineage(ANN, "c")).isEmpty();

            denied.add("bob");
            assertThatThrownBy(() -> threads.copy(ANN, "b", c -> c.toOwner(BOB)))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> threads.copy(ANN, "a", c -> c)).isInstanceOf(StoreException.class);
            denied.remove("bob");
            ThreadRecord bobs = threads.copy(ANN, "b", c -> c.toOwner(BOB));
            assertThat(bobs.source()).contains(new Source("b", ANN));
        }
    }

    /** Deletes the source of a copy after that was read, and makes another thread of its id. */
    private static final class Replaced extends ForwardingStore {

        private final String copy;
        private final String source;

        Replaced(Store store, String copy, String source) {
            super(store);
            this.copy = copy;
            this.source = source;
        }

        @Override
        public Optional<ThreadRecord> findThread(String threadId) {
            Optional<ThreadRecord> found = super.findThread(threadId);
            if (threadId.equals(copy) && deleteThread(source, ANN)) {
                assertThat(createThread(ThreadRecord.builder(
                                        source, ANN, found.orElseThrow().createdAt())
                                .build()))
                        .isTrue();
            }
            return found;
        }
    }

    @Test
    void anotherThreadWithTheIdOfADeletedSourceIsNoSource() {
        Store store = InMemoryStore.create();
        try (AgentRuntime runtime = over(store)) {
            say(runtime.threads(), ANN, "a", "One.");
            copy(runtime.threads(), "a", "b");
            copy(runtime.threads(), "b", "c");
        }
        try (AgentRuntime runtime = over(new Replaced(store, "b", "a"))) {
            assertThat(ids(runtime.threads().lineage(ANN, "c"))).containsExactly("b");
        }
    }
}
