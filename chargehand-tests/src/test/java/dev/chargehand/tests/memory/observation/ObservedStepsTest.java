package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ChargehandAssertions;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose own steps make its conversation too long sees its first steps through observations. */
class ObservedStepsTest extends ObservationFixture {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFirstStepsAreObserved(boolean durable) {
        try (Store store = durable ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
                AgentRuntime runtime = calling(store, 12, tool -> tool)) {
            RunResult run = say(runtime, 1);

            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(asked.size()).isBetween(2, 5);
            assertThat(events(RunEvent.ObservationEnd.class)).hasSize(asked.size());
            assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7L * asked.size(), 3L * asked.size()));
            for (ModelRequest request : requests) {
                List<String> shown = new ArrayList<>(shown(request));
                assertThat(shown).contains("said1"); // the input of the run is always shown
                shown.removeIf("said1"::equals);
                assertThat(shown).doesNotHaveDuplicates();
                assertThat(request.messages().stream()
                                .mapToInt(message -> message.text().length())
                                .sum())
                        .isLessThan(8 * MESSAGE_TOKENS);
            }
            List<String> last = shown(requests.getLast());
            assertThat(last).contains("said1", "said101", "said106", "said112");
            ChargehandAssertions.assertThatEvents(events).arePaired();
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
            // Each call that is shown has its result, and the newest one is shown as it is.
            List<Message> messages = requests.getLast().messages();
            long calls = messages.stream().mapToLong(m -> m.toolCalls().size()).sum();
            long results =
                    messages.stream().mapToLong(m -> m.toolResults().size()).sum();
            assertThat(calls).isEqualTo(results).isPositive();
            assertThat(messages.getLast().toolResults()).singleElement().satisfies(result -> assertThat(result.output())
                    .startsWith("said112"));
            RunResult next = say(runtime, 2);
            assertThat(next.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(shown(requests.getLast())).contains("said1", "said101", "said112", "said2");
            assertThat(contiguous(store)).isTrue();
        }
    }

    @Test
    void aModelThatFailsIsAskedOnceInARun() {
        observe = request -> {
            throw new IllegalStateException("It is down.");
        };
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = calling(store, 12, tool -> tool)) {
            RunResult run =
                    runtime.agent("lead").generate(text(1), o -> o.thread("t").resource("ann"));

            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(events(RunEvent.ObservationStart.class)).hasSize(1);
            assertThat(events(RunEvent.ObservationFailed.class)).hasSize(1);
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
            assertThat(shown(requests.getLast())).hasSize(13);
            ChargehandAssertions.assertThatEvents(events).arePaired();
        }
    }

    @Test
    void aForkInTheMiddleSeesTheSame() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = calling(store, 8, tool -> tool)) {
            RunResult run = say(runtime, 1);
            ModelRequest seventh = requests.get(6);
            int calls = asked.size();
            requests.clear();
            RunResult fork = runtime.fork(run.runId(), 6, changes -> {}).result();

            assertThat(fork.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(shown(requests.getFirst())).isEqualTo(shown(seventh));
            assertThat(requests.getFirst().messages()).hasSameSizeAs(seventh.messages());
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(runtime.history(fork.runId())).noneMatch(RunEvent.MemoryProblem.class::isInstance);
            assertThat(calls).isPositive();
        }
    }

    @Test
    void aForkSeesTheMessagesAgainIfTheObservationsWereDeleted() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        tell(store, 9, 78);
        RunResult run;
        try (AgentRuntime runtime = calling(store, 1, tool -> tool)) {
            run = say(runtime, 10);
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        }
        try (AgentRuntime runtime = calling(store, 1, Tool::requiringApproval)) {
            RunResult waits = runtime.fork(run.runId(), 1, changes -> {}).result();
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(requests.getLast().messages().getFirst().text()).contains("- observed said1");
            assertThat(runtime.threads().delete(ANN, "t")).isTrue();

            RunResult done = runtime.approve(waits.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();
            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(requests.getLast().messages())
                    .noneMatch(message -> message.text().contains("- observed"));
            assertThat(numbers(requests.getLast().messages())).contains("said9", "said10");
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.problem()).startsWith("memory-changed"));
        }
    }

    @Test
    void oneLargeStepStaysAsItIs() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = calling(store, 1, tool -> tool)) {
            RunResult run = say(runtime, "ann", "t", "said1 " + "word ".repeat(800));
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(shown(requests.getLast())).containsExactly("said1", "said101");
            assertThat(events(RunEvent.ObservationStart.class)).isEmpty();
        }
    }

    /** The input is observed with the first step, and counts no more then. */
    @Test
    void aLargeInputIsObservedOnce() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = calling(store, 10, tool -> tool)) {
            RunResult run = say(runtime, "ann", "t", "said1 " + "word ".repeat(2_000));
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(events(RunEvent.ObservationStart.class)).hasSizeBetween(2, 4);
            assertThat(shown(requests.getLast())).contains("said1", "said101", "said110");
        }
    }

    @Test
    void theSearchIsReportedOnce() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = calling(
                store, 8, tool -> tool, memory -> memory.semanticRecall(recall -> recall.by(new HashedWords())))) {
            RunResult run = say(runtime, 1);
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(events(RunEvent.ObservationEnd.class)).isNotEmpty();
            assertThat(events(RunEvent.MemoryRecall.class)).hasSize(1);
            assertThat(runtime.history(run.runId()).stream().filter(RunEvent.MemoryRecall.class::isInstance))
                    .hasSize(1);
        }
    }

    @Test
    void anObservedMessageIsFoundByItsMeaning() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, memory -> memory.observations(this::observing)
                .semanticRecall(recall ->
                        recall.by(new HashedWords()).scope(Scope.THREAD).topK(1).threshold(0.2)))) {
            RunResult told = say(runtime, "ann", "t", "The unicorn of my niece is called Bella.");
            assertThat(told.status()).isEqualTo(RunStatus.COMPLETED);
            for (int number = 1; number <= 6; number++) {
                RunResult ignored = say(runtime, number);
            }
            assertThat(log(store).end()).isGreaterThan(1);
            RunResult run = say(runtime, "ann", "t", "What is the unicorn of my niece called?");
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(recalled()).contains("<recalled-", "is called Bella");
        }
    }
}
