package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run sees all that its thread has when it starts, also what came while it was about to start. */
class ThreadReadAtStartTest extends SharedDatabases {

    enum Kind {
        MEMORY(InMemoryStore::keepingEndedRuns),
        SQLITE(SharedDatabases::sqlite),
        POSTGRES(SharedDatabases::postgres);

        @SuppressWarnings("ImmutableEnumChecker") // functions without state
        private final Supplier<Store> open;

        Kind(Supplier<Store> open) {
            this.open = open;
        }
    }

    /** A store in which something happens right before the first append, when its caller has read all that it wanted. */
    private static final class BeforeFirstAppend extends ForwardingStore {

        private final Runnable what;
        private final AtomicBoolean done = new AtomicBoolean();

        BeforeFirstAppend(Store store, Runnable what) {
            super(store);
            this.what = what;
        }

        @Override
        public Appended append(List<Append> appends) {
            if (done.compareAndSet(false, true)) {
                what.run();
            }
            return super.append(appends);
        }
    }

    private static final Agent SOLO = Crew.solo();

    private static void assertSeen(Kind kind, Consumer<TestRuntime> meanwhile, String... seen) {
        Store store = kind.open.get();
        Script here = Scripts.on("solo", Turn.says("Second"));
        try (TestRuntime other = Crew.playing(
                        store, Scripts.on("solo", Turn.says("First").forever()), SOLO);
                TestRuntime test =
                        Crew.playing(new BeforeFirstAppend(store, () -> meanwhile.accept(other)), here, SOLO)) {
            String text = test.agent("solo").generate("Two", Crew::inThread).text();

            assertThat(text).isEqualTo("Second");
            assertThat(here.requests().getFirst().messages().stream().map(Wire::line))
                    .containsExactly(seen);
            assertThat(other.thread("t", "u")).hasSize(seen.length + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunOfAnotherProcessThatEndsMeanwhile(Kind kind) {
        assertSeen(
                kind,
                other -> {
                    String said =
                            other.agent("solo").generate("One", Crew::inThread).text();
                    assertThat(said).isEqualTo("First");
                },
                "user: One",
                "assistant: First",
                "user: Two");
    }

    @ParameterizedTest
    @EnumSource
    void messagesThatTheApplicationAppendsMeanwhile(Kind kind) {
        assertSeen(
                kind,
                other -> {
                    var ignored = other.runtime()
                            .threads()
                            .append(ThreadOwner.of("u"), "t", List.of(Message.user("One"), Message.assistant("First")));
                },
                "user: One",
                "assistant: First",
                "user: Two");
    }

    @ParameterizedTest
    @EnumSource
    void messagesThatComeWhileASubmittedRunIsAboutToStart(Kind kind) {
        Store store = kind.open.get();
        Script here = Scripts.on("solo", Turn.says("Second"));
        try (TestRuntime other = Crew.playing(store, Scripts.on("solo"), SOLO)) {
            RunId run = other.runtime().submit(other.agent("solo"), List.of(Message.user("Two")), Crew::inThread);
            Runnable appends = () -> {
                var ignored = other.runtime().threads().append(ThreadOwner.of("u"), "t", List.of(Message.user("One")));
            };
            try (TestRuntime test = Crew.playing(new BeforeFirstAppend(store, appends), here, SOLO)) {
                String text = test.runtime().resume(run, o -> {}).result().text();

                assertThat(text).isEqualTo("Second");
                assertThat(here.requests().getFirst().messages().stream().map(Wire::line))
                        .containsExactly("user: One", "user: Two");
                assertThat(test.thread("t", "u").stream().map(Wire::line))
                        .containsExactly("user: One", "user: Two", "assistant: Second");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingOfAThreadThatIsDeletedMeanwhile(Kind kind) {
        Store store = kind.open.get();
        Script here = Scripts.on("solo", Turn.says("Second"));
        try (TestRuntime other = Crew.playing(store, Scripts.on("solo", Turn.says("First")), SOLO)) {
            String said = other.agent("solo").generate("One", Crew::inThread).text();
            assertThat(said).isEqualTo("First");
            Runnable deletes = () -> assertThat(other.runtime().threads().delete(ThreadOwner.of("u"), "t"))
                    .isTrue();
            try (TestRuntime test = Crew.playing(new BeforeFirstAppend(store, deletes), here, SOLO)) {
                String text = test.agent("solo").generate("Two", Crew::inThread).text();

                assertThat(text).isEqualTo("Second");
                assertThat(here.requests().getFirst().messages().stream().map(Wire::line))
                        .containsExactly("user: Two");
                assertThat(test.thread("t", "u").stream().map(Wire::line))
                        .containsExactly("user: Two", "assistant: Second");
            }
        }
    }
}
