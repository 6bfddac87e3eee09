package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.MemoryException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run sees and reads of other conversations of its resource, and of no one else's. */
class ObservationScopeTest extends ObservationFixture {

    @TempDir
    Path folder;

    private void ofResource(Observations.Builder observations) {
        observing(observations);
        observations.scope(Scope.RESOURCE);
    }

    private static void tell(AgentRuntime runtime, String resource, String thread, int from, int to) {
        for (int number = from; number <= to; number++) {
            RunResult ignored = say(runtime, resource, thread, text(number));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void observationsOfOtherConversationsAreMarked(boolean durable) {
        try (Store store = durable ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
                AgentRuntime runtime = runtime(store, observations(this::ofResource))) {
            tell(runtime, "ann", "a", 1, 4);
            tell(runtime, "bob", "b", 11, 14);
            tell(runtime, "ann", "c", 21, 21);

            List<Message> messages = requests.getLast().messages();
            assertThat(messages.getFirst().text())
                    .startsWith("What you have observed in other conversations.")
                    .contains(
                            "do not continue the tasks",
                            "of=\"another conversation\"",
                            "- observed said1 said2 said3 said4")
                    .doesNotContain("said11");
            assertThat(messages.getFirst().internal()).isTrue();
            tell(runtime, "ann", "c", 22, 25);
            assertThat(requests.getLast().messages().get(0).text())
                    .startsWith("What you have observed in earlier messages of this conversation")
                    .contains("said21");
            assertThat(requests.getLast().messages().get(1).text())
                    .contains("said1")
                    .doesNotContain("said21");
        }
    }

    @Test
    void observationsOfTheThreadAreTheDefault() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            tell(runtime, "ann", "a", 1, 5);
            tell(runtime, "ann", "c", 21, 21);
            assertThat(numbers(requests.getLast().messages())).containsExactly("said21");
        }
    }

    @Test
    void aResourceIsNeeded() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), observations(this::ofResource))) {
            assertThatThrownBy(() -> runtime.agent("lead").generate(text(1), o -> o.thread("t")))
                    .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.kind())
                            .isEqualTo(MemoryException.Kind.NEEDS_RESOURCE));
        }
    }

    @Test
    void whatIsDeletedElsewhereIsSeenNoMore() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, observations(this::ofResource))) {
            tell(runtime, "ann", "a", 1, 5);
            tell(runtime, "ann", "c", 21, 21);
            assertThat(numbers(requests.getLast().messages())).contains("said1");
            assertThat(runtime.threads().delete(ANN, "a")).isTrue();
            tell(runtime, "ann", "c", 22, 22);
            assertThat(numbers(requests.getLast().messages())).containsExactly("said21", "said22");
        }
    }

    private AgentRuntime recalling(Store store, Scope scope, String arguments) {
        return runtime(
                store,
                memory -> memory.observations(o -> {
                    observing(o);
                    o.scope(scope).recallTool();
                }),
                agent -> agent,
                settings -> settings,
                Turn.answers(request -> {
                            requests.add(request);
                            boolean calls = request.messages().getLast().text().startsWith("recall");
                            return calls
                                    ? new ModelResponse(
                                            "",
                                            "",
                                            List.of(new ModelResponse.RequestedCall("c", "recall", arguments)),
                                            FinishReason.TOOL_CALLS,
                                            Usage.of(10, 5))
                                    : ModelResponse.text("Noted.", Usage.of(10, 5));
                        })
                        .forever());
    }

    private String recalledBy(AgentRuntime runtime, String resource, String thread) {
        RunResult run = say(runtime, resource, thread, "recall it");
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        return requests.getLast().messages().getLast().toolResults().getFirst().output();
    }

    @Test
    void theToolReadsTheMessagesBehindObservations() {
        try (AgentRuntime runtime =
                recalling(InMemoryStore.keepingEndedRuns(), Scope.THREAD, "{\"from\":2,\"to\":3}")) {
            tell(runtime, "ann", "t", 1, 5);
            assertThat(requests.getLast().messages().getFirst().text()).contains("[messages 0 to 6]\n- observed");
            String result = recalledBy(runtime, "ann", "t");
            assertThat(result)
                    .contains("[2, user] said2 ", "[3, assistant] Noted.")
                    .doesNotContain("said1 ", "said3");
            assertThat(result).matches("(?s)<recalled-([0-9a-f]{16})>.*</recalled-\\1>");
        }
    }

    @Test
    void theToolReadsNoOtherConversation() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            tell(runtime, "ann", "other", 1, 2);
            tell(runtime, "bob", "b", 11, 12);
        }
        String other = "{\"from\":0,\"to\":9,\"conversation\":\"other\"}";
        try (AgentRuntime runtime = recalling(store, Scope.THREAD, other)) {
            assertThat(recalledBy(runtime, "ann", "t")).doesNotContain("said1");
        }
        try (AgentRuntime runtime = recalling(store, Scope.RESOURCE, other)) {
            assertThat(recalledBy(runtime, "ann", "t2")).contains("said1", "said2");
            assertThat(recalledBy(runtime, "bob", "t3")).contains("no such messages");
        }
        String missing = "{\"from\":7,\"to\":3}";
        try (AgentRuntime runtime = recalling(store, Scope.THREAD, missing)) {
            assertThat(recalledBy(runtime, "ann", "t4")).contains("'to' must be at least 'from'");
        }
    }

    @Test
    void theToolReturnsWhatThereIsRoomFor() {
        try (AgentRuntime runtime =
                recalling(InMemoryStore.keepingEndedRuns(), Scope.THREAD, "{\"from\":0,\"to\":900}")) {
            for (int number = 1; number <= 5; number++) {
                RunResult ignored = say(runtime, "ann", "t", "said" + number + " " + "word ".repeat(1_600));
            }
            String result = recalledBy(runtime, "ann", "t");
            assertThat(result)
                    .contains("said1", "There was no room for message 6")
                    .doesNotContain("said4");
            assertThat(result.length()).isLessThan(31_000);
        }
    }

    @Test
    void aRunThatOnlyReadsHasNoTool() {
        try (AgentRuntime runtime =
                recalling(InMemoryStore.keepingEndedRuns(), Scope.THREAD, "{\"from\":0,\"to\":900}")) {
            tell(runtime, "ann", "t", 1, 1);
            assertThat(requests.getLast().tools())
                    .extracting(tool -> tool.name())
                    .containsExactly("recall");
            RunResult ignored = runtime.agent("lead")
                    .generate("x", o -> o.thread("t").resource("ann").memory(m -> m.readOnly()));
            assertThat(requests.getLast().tools()).isEmpty();
            assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
        }
    }

    @Test
    void aResumedRunSeesNothingOfAThreadThatHasAnotherOwnerNow() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, observations(this::ofResource))) {
            tell(runtime, "ann", "a", 1, 5);
        }
        try (AgentRuntime runtime =
                calling(store, 1, Tool::requiringApproval, memory -> memory.observations(this::ofResource))) {
            RunResult waits =
                    runtime.agent("lead").generate(text(21), o -> o.thread("c").resource("ann"));
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(numbers(requests.getLast().messages())).contains("said1");
            assertThat(runtime.threads().delete(ANN, "a")).isTrue();
            long length = runtime.threads()
                    .append(ThreadOwner.of("bob"), "a", List.of(Message.user("said77")))
                    .length();

            RunResult done = runtime.approve(waits.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();
            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(length).isEqualTo(1);
            assertThat(numbers(requests.getLast().messages()))
                    .contains("said21")
                    .doesNotContain("said1", "said77");
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.problem()).startsWith("memory-changed"));
        }
    }

    @Test
    void ofManyConversationsTheNewestAreShown() {
        observe = request -> "- observed " + numbers(request.messages().getLast()) + " " + "much ".repeat(7_000);
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), observations(this::ofResource))) {
            for (int other = 1; other <= 6; other++) {
                tell(runtime, "ann", "t" + other, 100 * other, 100 * other + 4);
            }
            assertThat(log(runtime, "t6")).isGreaterThan(30_000);
            tell(runtime, "ann", "t6", 605, 612);
            assertThat(log(runtime, "t6")).isGreaterThan(70_000); // more than a result of a tool may have
            assertThat(requests.getLast().messages().getFirst().text()).contains("said600", "said604");
            assertThat(requests.getLast().messages().getFirst().text().length()).isGreaterThan(70_000);
            tell(runtime, "ann", "t", 1, 1);
            String shown = requests.getLast().messages().getFirst().text();
            assertThat(shown.length()).isBetween(100_000, 162_000);
            assertThat(shown).contains("said500").doesNotContain("said100");
        }
    }

    private static int log(AgentRuntime runtime, String thread) {
        return runtime.memory().observations(ANN, thread).observations().stream()
                .mapToInt(each -> each.text().length())
                .sum();
    }
}
