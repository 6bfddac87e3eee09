package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls of a network that wait for a human, answered here or by another process. */
class NetworkApprovalTest extends ApprovalFixture {

    private static final JsonSchema TEXT = JsonSchema.of(Json.parse("{\"type\":\"string\"}"));

    private final Tool ask = Tool.builder("ask", "Asks the user.")
            .input(Crew.ANYTHING)
            .suspends(TEXT, TEXT)
            .handler((in, context) ->
                    context.providedData().<Object>map(Json::text).orElseGet(() -> context.suspend("Which one?")))
            .build();

    private TestRuntime runtime(Store store, Script script) {
        Agent researcher = Crew.member("researcher", delete());
        return Crew.playing(store, script, Crew.supervisorOf(researcher, delete(), ask));
    }

    @SuppressWarnings("deprecation") // what is tested
    private static RunResult waiting(TestRuntime test, Consumer<RunOptions.Builder> options) {
        RunResult result = test.agent("supervisor").generateNetwork("Do the task", o -> {
            o.thread("t").resource("u");
            options.accept(o);
        });
        assertThat(result).hasStatus(RunStatus.SUSPENDED).hasText("");
        return result;
    }

    private static Script deletes() {
        return Scripts.on("supervisor").says(Routed.tool("deleteRecord", "{\"id\":\"r1\"}"));
    }

    /** What another process has its models say: it is asked for the rest only. */
    private static Script checking() {
        return Scripts.on("supervisor").says(Routed.complete("ok", "Deleted."));
    }

    @Test
    void anApprovedToolIsExecutedByAnotherProcessAndTheNetworkGoesOn() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        PendingApproval approval;
        try (TestRuntime test = runtime(store, deletes())) {
            approval = waiting(test, o -> {}).pendingApprovals().getFirst();
            assertThat(approval.toolName()).isEqualTo("deleteRecord");
            assertThat(approval.arguments()).isEqualTo(Json.parse("{\"id\":\"r1\"}"));
            assertThat(Routed.types(test.events()))
                    .containsSubsequence(
                            "routing-agent-end",
                            "tool-execution-start",
                            "tool-execution-event-tool-call-approval",
                            "run-suspend")
                    .doesNotContain("network-execution-event-finish");
        }
        try (TestRuntime test = runtime(store, checking())) {
            RunResult done = test.runtime().approve(approval, ANN).result();
            assertThat(done).stoppedBecause(new StopReason.TaskComplete()).hasText("Deleted.");
            assertThat(deleted).containsExactly("r1");
            assertThat(Routed.types(test.events()))
                    .containsExactly(
                            "run-resume",
                            "tool-execution-event-tool-call-answered",
                            "tool-execution-end",
                            "network-validation-start",
                            "routing-agent-text-start",
                            "routing-agent-text-delta",
                            "routing-agent-text-end",
                            "network-validation-end",
                            "network-execution-event-step-finish",
                            "network-execution-event-finish",
                            "run-finish");
            assertThatThrownBy(() -> test.runtime().approve(approval, ANN).result())
                    .isInstanceOf(ApprovalException.class);
        }
    }

    @Test
    void aDeclinedToolIsAnErrorThatTheRouterSees() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        PendingApproval approval;
        try (TestRuntime test = runtime(store, deletes())) {
            approval = waiting(test, o -> {}).pendingApprovals().getFirst();
        }
        Script rest = Scripts.drafts("supervisor", Routed.incomplete("declined"), Routed.none("It stays."));
        try (TestRuntime test = runtime(store, rest)) {
            RunResult done = test.runtime().decline(approval, ANN, "Too risky").result();
            assertThat(done).finished().hasText("It stays.").toolFailed("deleteRecord", "Too risky");
            assertThat(Wire.lines(rest.requestsOf("supervisor").getLast()))
                    .anyMatch(line -> line.startsWith("user: <error-") && line.contains("Too risky"));
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void aCallOfAnAgentBelowWaitsAndGoesOnUnderTheNamesOfTheNetwork() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        PendingApproval approval;
        Script first = Scripts.of(
                Turns.saying("supervisor", Routed.agent("researcher", "Clean up")),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r2"))));
        try (TestRuntime test = runtime(store, first)) {
            approval = waiting(test, o -> {}).pendingApprovals().getFirst();
            assertThat(approval.path()).hasToString("supervisor/researcher");
        }
        Script rest =
                Scripts.of(Turns.saying("researcher", "Clean."), Turns.saying("supervisor", Routed.complete("ok", "")));
        try (TestRuntime test = runtime(store, rest)) {
            List<RunEvent> events = new ArrayList<>();
            assertThat(test.runtime()
                            .answer(approval, ApprovalAnswer.approve(ANN), o -> o.addListener(events::add))
                            .result())
                    .hasText("Clean.");
            assertThat(deleted).containsExactly("r2");
            assertThatEvents(events)
                    .arePaired()
                    .endWithRunFinish()
                    .areInOrder(
                            "run-resume",
                            "agent-execution-event-resume",
                            "agent-execution-event-tool-call-answered",
                            "agent-execution-event-tool-result",
                            "agent-execution-event-finish",
                            "agent-execution-end",
                            "network-execution-event-finish");
        }
    }

    @Test
    void aToolThatAsksForDataGetsIt() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        PendingApproval asked;
        try (TestRuntime test = runtime(store, Scripts.on("supervisor").says(Routed.tool("ask", "{}")))) {
            asked = waiting(test, o -> {}).pendingApprovals().getFirst();
            assertThat(Routed.types(test.events())).contains("tool-execution-event-tool-call-suspended");
        }
        try (TestRuntime test = runtime(store, Scripts.on("supervisor").says(Routed.complete("ok", "")))) {
            assertThat(test.runtime().giveData(asked, "the red one").result()).hasText("\"the red one\"");
        }
    }

    @Test
    void aPolicyOfTheNetworkHoldsForAgentsThatItChooses() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        Script script = Scripts.of(
                Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.complete("ok", "")),
                Turns.saying("researcher", "FA"));
        try (TestRuntime test = runtime(store, script)) {
            RunResult waiting = waiting(
                    test, o -> o.requireToolApproval(call -> call.toolName().equals("agent-researcher")));
            assertThat(script.requestsOf("researcher")).isEmpty();
            assertThat(Routed.types(test.events()))
                    .containsSubsequence("routing-agent-end", "agent-execution-event-tool-call-approval")
                    .doesNotContain("agent-execution-event-tool-call");
            assertThat(test.runtime()
                            .approve(waiting.pendingApprovals().getFirst(), ANN)
                            .result())
                    .hasText("FA");
        }
    }
}
