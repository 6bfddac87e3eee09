package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.Redaction;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A conversation has the first words of its user as its title, at once. */
class FirstWordsTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    private static ThreadRecord thread(AgentRuntime runtime, String thread) {
        return runtime.threads().find(ANN, thread).orElseThrow();
    }

    private AgentRuntime runtime() {
        return runtime(InMemoryStore.keepingEndedRuns(), memory -> {});
    }

    @Test
    void theyAreThereWhileTheModelStillAnswers() {
        AtomicReference<AgentRuntime> made = new AtomicReference<>();
        AtomicReference<String> seen = new AtomicReference<>();
        Turn looks = Turn.answers(request -> {
            seen.set(thread(made.get(), "t").title().orElse(""));
            return ModelResponse.text("Noted.", Usage.of(1, 1));
        });
        try (AgentRuntime runtime = runtime(
                InMemoryStore.create(), memory -> {}, UnaryOperator.identity(), UnaryOperator.identity(), looks)) {
            made.set(runtime);
            RunResult ignored = say(runtime, "ann", "t", "Plan a trip\nto Oslo");
        }
        assertThat(seen.get()).isEqualTo("Plan a trip to Oslo");
    }

    @Test
    void laterWordsChangeNothing() {
        try (AgentRuntime runtime = runtime()) {
            RunResult first = say(runtime, "ann", "t", "Plan a trip");
            RunResult second = say(runtime, "ann", "t", "And a hotel");

            assertThat(first.runId()).isNotEqualTo(second.runId());
            assertThat(thread(runtime, "t").title()).contains("Plan a trip");
            assertThat(thread(runtime, "t").titleSource()).contains(TitleSource.FIRST_WORDS);
        }
    }

    @Test
    void theyAreOneLineOfWholeWords() {
        try (AgentRuntime runtime = runtime()) {
            RunResult ignored = say(
                    runtime, "ann", "t", "\n\u0000Tell\u202e me\t\u2028all \uD83D " + "about many dogs ".repeat(50));

            assertThat(thread(runtime, "t").title())
                    .contains("Tell me all \ufffd about many dogs about many dogs about many dogs about many dogs");
        }
    }

    @Test
    void aProcessorOfTheInputHasSeenThem() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> {},
                agent -> agent.inputProcessors(Redaction.all()),
                UnaryOperator.identity())) {
            RunResult ignored = say(runtime, "ann", "t", "Write to ann@example.org now");

            assertThat(runtime.threads().messagesFrom(ANN, "t", 0, 1).getFirst().text())
                    .isEqualTo(thread(runtime, "t").title().orElseThrow())
                    .doesNotContain("example.org");
        }
    }

    @Test
    void aRunThatOnlyReadsGivesNone() {
        try (AgentRuntime runtime = runtime()) {
            ThreadRecord made = runtime.threads().create(ANN, "t", t -> {});
            RunResult ignored = runtime.agent("lead")
                    .generate("Who am I?", o -> o.thread("t").resource("ann").memory(m -> m.readOnly()));

            assertThat(made.titleSource()).isEmpty();
            assertThat(thread(runtime, "t").title()).isEmpty();
        }
    }

    @Test
    void messagesOfAnotherProgramGiveOneToo() {
        Message picture = Message.of(Role.USER, new Part.Image("image/png", "data:image/png;base64,AA=="));
        try (AgentRuntime runtime = runtime()) {
            ThreadRecord told = runtime.threads()
                    .append(
                            ANN,
                            "t",
                            List.of(
                                    Message.assistant("Welcome"),
                                    picture,
                                    Message.user("My order"),
                                    Message.user("Hm")));

            assertThat(told.title()).contains("My order");
            assertThat(told).isEqualTo(thread(runtime, "t"));
        }
    }

    @Test
    void theApplicationHasTheLastWord() {
        try (AgentRuntime runtime = runtime()) {
            ThreadRecord made = runtime.threads().create(ANN, "t", t -> t.title("Mine"));
            assertThat(made.titleSource()).contains(TitleSource.USER);
            RunResult first = say(runtime, "ann", "t", "Plan a trip");
            assertThat(thread(runtime, "t").title()).contains("Mine");

            ThreadRecord bare = runtime.threads().change(ANN, "t", t -> t.title(null));
            assertThat(bare.titleSource()).isEmpty();
            RunResult second = say(runtime, "ann", "t", "And a hotel");
            assertThat(thread(runtime, "t").title()).contains("And a hotel");
            assertThat(first.status()).isEqualTo(second.status());
        }
    }

    @Test
    void aCopyAndAForkHaveTheirs() {
        try (AgentRuntime runtime = runtime()) {
            RunResult first = say(runtime, "ann", "t", "Plan a trip");
            RunResult second = say(runtime, "ann", "t", "And a hotel");

            ThreadRecord copy = runtime.threads().copy(ANN, "t", 2, t -> {});
            ThreadRecord named = runtime.threads().copy(ANN, "t", 2, t -> t.title("Named"));
            RunResult fork = runtime.fork(second.runId(), 0, o -> {}).result();

            assertThat(first.status()).isEqualTo(fork.status());
            assertThat(copy.title()).contains("Plan a trip");
            assertThat(copy.titleSource()).contains(TitleSource.FIRST_WORDS);
            assertThat(named.titleSource()).contains(TitleSource.USER);
            assertThat(runtime.threads().list("ann", 0, 9))
                    .extracting(thread -> thread.title().orElse(""))
                    .containsOnly("Plan a trip", "Named")
                    .hasSize(4);
        }
    }
}
