package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.event.RecalledMessages;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.memory.RecallOptions;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tests.Logged;
import dev.chargehand.tests.Turn;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A run changes single settings of its agent's recall, and says what of its input cannot be found later. */
class RecallOfARunTest extends MemoryFixture {

    private static final String QUESTION = "What does my dog Fido like?";

    private Consumer<Memory.Builder> recalling(Scope scope) {
        return memory -> memory.lastMessages(2)
                .semanticRecall(recall ->
                        recall.by(embeddings).scope(scope).threshold(0.2).messageRange(1, 1));
    }

    private AgentRuntime runtime(Scope scope) {
        return runtime(InMemoryStore.keepingEndedRuns(), recalling(scope));
    }

    private static void tell(AgentRuntime runtime) {
        say(runtime, "ann", "monday", "Good morning!"); // so that there is a message before the one that is found
        say(runtime, "ann", "monday", "My dog Fido likes apples.");
        say(runtime, "ann", "tuesday", "My dog Fido likes pears.");
        say(runtime, "ann", "wednesday", "My dog Fido likes plums.");
    }

    private List<RecalledMessages> found(AgentRuntime runtime, UnaryOperator<RecallOptions> change) {
        RunResult result = runtime.agent("lead")
                .generate(QUESTION, o -> o.thread("sunday").resource("ann").memory(memory -> memory.readOnly()
                        .semanticRecall(change)));
        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        return events(RunEvent.MemoryRecall.class).getLast().hits();
    }

    @Test
    void eachSettingIsOfTheRunOrOfTheAgent() {
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            tell(runtime);

            assertThat(found(runtime, recall -> recall)).hasSize(3);
            assertThat(recalled()).contains("assistant");
            assertThat(found(runtime, recall -> recall.topK(1))).hasSize(1);
            assertThat(recalled()).contains("assistant");
            assertThat(found(runtime, recall -> recall.messageRange(0, 0))).hasSize(3);
            assertThat(recalled()).doesNotContain("assistant");
            assertThat(found(runtime, recall -> recall.threshold(1))).isEmpty();
            assertThat(found(runtime, recall -> recall.scope(Scope.THREAD))).isEmpty();
            assertThat(found(runtime, recall -> recall.topK(2).messageRange(0, 0)))
                    .hasSize(2)
                    .allSatisfy(hit -> assertThat(hit.to() - hit.from()).isEqualTo(1));
        }
    }

    @Test
    void aRunOfOneThreadNeedsNoResource() {
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            RunResult result = runtime.agent("lead").generate(QUESTION, o -> o.thread("a")
                    .memory(memory -> memory.semanticRecall(recall -> recall.scope(Scope.THREAD))));

            assertThat(result.text()).isEqualTo("Noted.");
            assertThat(runtime.memory().settled(LONG)).isTrue();
        }
    }

    @Test
    void aRunOfAllThreadsNeedsOne() {
        try (AgentRuntime runtime = runtime(Scope.THREAD)) {
            tell(runtime);

            assertThatThrownBy(() -> runtime.agent("lead").generate(QUESTION, o -> o.thread("a")
                            .memory(memory -> memory.semanticRecall(recall -> recall.scope(Scope.RESOURCE)))))
                    .isInstanceOfSatisfying(
                            MemoryException.class, e -> assertThat(e.code()).isEqualTo("memory-needs-resource"));
            assertThat(found(runtime, recall -> recall.scope(Scope.RESOURCE))).hasSize(3);
        }
    }

    @Test
    void aRunThatDoesNotSearchLeavesItsSettingsOut() {
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            tell(runtime);
            int recalls = events(RunEvent.MemoryRecall.class).size();
            RunResult result = runtime.agent("lead").generate(QUESTION, o -> o.thread("sunday")
                    .resource("ann")
                    .memory(memory -> memory.withoutSemanticRecall().semanticRecall(recall -> recall.topK(1))));

            assertThat(result.text()).isEqualTo("Noted.");
            assertThat(events(RunEvent.MemoryRecall.class)).hasSize(recalls);
        }
    }

    @Test
    void numbersHaveTheBoundsOfTheAgents() {
        RecallOptions none = RecallOptions.DEFAULT;
        assertThatThrownBy(() -> none.topK(0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1 to 50");
        assertThatThrownBy(() -> none.topK(51)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> none.messageRange(-1, 0)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> none.messageRange(0, 21)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> none.threshold(1.5)).isInstanceOf(ConfigurationException.class);
        assertThat(MemoryOptions.DEFAULT.semanticRecall(recall -> recall.topK(3)))
                .isEqualTo(MemoryOptions.DEFAULT.semanticRecall(recall -> recall.topK(3)))
                .isNotEqualTo(MemoryOptions.DEFAULT);
    }

    @Test
    void anInputThatIsTooLongToBeFoundWholeIsReported() {
        String longText = "My dog Fido likes apples. ".repeat(4_000);
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            RunResult result = say(runtime, "ann", "monday", longText);

            assertThat(events(RunEvent.MemoryProblem.class)).singleElement().satisfies(problem -> {
                assertThat(problem.problem()).startsWith("input-too-long").contains("26 passages");
                assertThat(problem.runId()).isEqualTo(result.runId());
            });
        }
    }

    @Test
    void aRunThatEndsBeforeItRecallsLeavesAnInputThatIsFound() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<AgentRuntime> cancelling = new AtomicReference<>();
        embeddings.holdsUntil(ended);
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                recalling(Scope.RESOURCE),
                agent -> agent,
                settings -> settings.addListener(event -> {
                    if (event instanceof RunEvent.RunStart) {
                        cancelling.get().cancel(event.runId());
                    }
                }))) {
            cancelling.set(runtime);
            RunResult result = runtime.agent("lead").generate("My dog Fido likes apples.", o -> o.thread("monday")
                    .resource("ann"));
            ended.countDown();

            assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(events(RunEvent.MemoryRecall.class)).isEmpty();
            assertThat(found(runtime)).isEqualTo(1);
        }
    }

    @Test
    void whatIsSaidInARunThatDoesNotSearchIsNotFound() {
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            RunResult result = runtime.agent("lead").generate("My dog Fido likes apples.", o -> o.thread("monday")
                    .resource("ann")
                    .memory(memory -> memory.withoutSemanticRecall()));

            assertThat(result.text()).isEqualTo("Noted.");
            assertThat(found(runtime)).isZero();
        }
    }

    private static int found(AgentRuntime runtime) {
        assertThat(runtime.memory().settled(LONG)).isTrue();
        return runtime.memory()
                .search("lead", ScopeRef.resource("ann"), QUESTION, 4)
                .size();
    }

    @Test
    void anAnswerThatIsTooLongToBeFoundWholeIsLogged() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                recalling(Scope.RESOURCE),
                agent -> agent,
                settings -> settings,
                Turn.says("My dog Fido likes apples. ".repeat(4_000)),
                answers()[0])) {
            String log = Logged.during(() -> say(runtime, "ann", "monday", "Tell me all."));

            assertThat(log)
                    .contains(
                            "WARN thread monday: message 1 is too long to be found by all of its text: the last 26 of its 58");
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
            assertThat(Logged.ifAny(() -> say(runtime, "ann", "monday", "Thank you.")))
                    .doesNotContain("too long");
        }
    }

    @Test
    void aRunThatOnlyReadsReportsNothingOfThat() {
        try (AgentRuntime runtime = runtime(Scope.RESOURCE)) {
            RunResult result = runtime.agent("lead")
                    .generate(
                            "My dog Fido likes apples. ".repeat(4_000),
                            o -> o.thread("monday").resource("ann").memory(memory -> memory.readOnly()));

            assertThat(result.text()).isEqualTo("Noted.");
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
        }
    }
}
