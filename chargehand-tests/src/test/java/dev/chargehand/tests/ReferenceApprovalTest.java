package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cases with approvals that were observed on the reference, as in {@link ReferenceTest}: streamed, suspended,
 * answered on a stream of their own.
 */
class ReferenceApprovalTest extends ApprovalFixture {

    /** The events of a run until it ended or waited, and its result. */
    private record Read(List<RunEvent> events, RunResult result) {

        static Read of(RunStream stream) {
            List<RunEvent> events = new ArrayList<>();
            try (stream) {
                stream.forEach(events::add);
                return new Read(events, stream.result());
            }
        }

        List<String> names() {
            return events.stream()
                    .map(RunEvent::type)
                    .filter(name -> !name.startsWith("iteration") && !name.equals("usage"))
                    .toList();
        }

        List<PendingApproval> asked() {
            return events.stream()
                    .filter(RunEvent.ToolCallApproval.class::isInstance)
                    .map(event -> ((RunEvent.ToolCallApproval) event).approval())
                    .toList();
        }
    }

    private static Read started(TestRuntime test) {
        return Read.of(test.agent("supervisor").stream(
                "Do the task", o -> o.thread("t1").resource("u1")));
    }

    private static Read answered(TestRuntime test, PendingApproval approval, ApprovalAnswer answer) {
        List<RunEvent> events = new ArrayList<>();
        RunResult result = test.runtime()
                .answer(approval, answer, o -> o.addListener(events::add))
                .result();
        return new Read(events, result);
    }

    private static Script direct(String last) {
        return Scripts.on("supervisor", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says(last));
    }

    @Test
    void case13aAnOwnToolIsApproved() {
        Script script = direct("Deleted");
        try (TestRuntime test = runtime(script, Crew.supervisor(delete()))) {
            Read first = started(test);
            assertThat(first.names())
                    .containsExactly(
                            "run-start",
                            "step-start",
                            "tool-call-input-start",
                            "tool-call-delta",
                            "tool-call-input-end",
                            "tool-call",
                            "tool-call-approval",
                            "run-suspend");
            assertThat(first.result().status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(first.result().text()).isEmpty();
            assertThat(first.result().steps()).isEmpty();
            assertThat(first.asked()).isEqualTo(first.result().pendingApprovals());

            Read second = answered(test, first.asked().getFirst(), ApprovalAnswer.approve(ANN));

            assertThat(second.names())
                    .containsExactly(
                            "run-resume",
                            "tool-call-answered", // better: who answered is told
                            "tool-result",
                            "step-finish",
                            "step-start",
                            "text-start",
                            "text-delta",
                            "text-end",
                            "step-finish",
                            "run-finish");
            assertThat(second.result().runId()).isEqualTo(first.result().runId());
            assertThat(second.result()).finished().hasText("Deleted").hasUsage(Usage.of(20, 10));
            assertThat(second.result().toolResults().getFirst().output()).contains(Json.of(Map.of("deleted", "r1")));
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void case13bAnOwnToolIsDeclined() {
        Script script = direct("Ok, not deleted");
        try (TestRuntime test = runtime(script, Crew.supervisor(delete()))) {
            PendingApproval approval = started(test).asked().getFirst();
            Read second = answered(test, approval, ApprovalAnswer.decline(ANN, "Not approved by the user."));

            // better: the denied call has its tool-error, so that every tool-call has an end
            assertThat(second.names())
                    .startsWith(
                            "run-resume",
                            "tool-call-answered",
                            "tool-output-denied",
                            "tool-error",
                            "step-finish",
                            "step-start");
            assertThat(second.result()).finished().hasText("Ok, not deleted").hasUsage(Usage.of(20, 10));
            assertThat(Wire.line(
                            script.requestsOf("supervisor").getLast().messages().getLast()))
                    .isEqualTo("tool: deleteRecord error: Tool 'deleteRecord' was not called: it was not approved. "
                            + "Reason: Not approved by the user.");
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void case14aASubAgentsToolIsApprovedAtTheTop() {
        Script script = nested("Deleted r1", "All done");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            Read first = started(test);
            // better: one approval, of the nested call itself
            assertThat(first.asked()).hasSize(1);
            assertThat(first.asked().getFirst().path()).hasToString("supervisor/researcher");
            assertThat(first.asked().getFirst().rootRunId())
                    .isEqualTo(first.result().runId());
            assertThat(first.asked().getFirst().requester()).contains("u1");
            assertThat(first.names()).endsWith("tool-call-approval", "run-suspend", "run-suspend");

            Read second = answered(test, first.asked().getFirst(), ApprovalAnswer.approve(ANN));

            assertThat(second.events().stream()
                            .map(event -> event.path() + " " + event.type())
                            .filter(line -> line.matches(".* (run-resume|tool-result|run-finish|delegation-end)")))
                    .containsExactly(
                            "supervisor run-resume",
                            "supervisor/researcher run-resume",
                            "supervisor/researcher tool-result",
                            "supervisor/researcher run-finish",
                            "supervisor delegation-end",
                            "supervisor tool-result",
                            "supervisor run-finish");
            assertThat(second.result()).finished().hasText("All done").hasUsage(Usage.of(20, 10));
            assertThat(second.result().totalUsage()).isEqualTo(Usage.of(40, 20));
            assertThat(second.result().usageByAgent()).containsOnlyKeys("supervisor", "researcher");
            assertThat(second.result().toolResults().getFirst().output()).contains(Json.of("Deleted r1"));
            assertThat(test.store().list(RunFilter.ROOTS.tree(second.result().runId())))
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.COMPLETED);
            assertThat(deleted).containsExactly("r1");
            assertThatEvents(test.events()).arePaired();
        }
    }

    @Test
    void case14bASubAgentsToolIsDeclinedAtTheTopAndTheSubAgentSeesWhy() {
        Script script = nested("I was not allowed", "Declined it seems");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            Read second = answered(test, started(test).asked().getFirst(), ApprovalAnswer.decline(ANN, "no way"));

            assertThat(Wire.line(
                            script.requestsOf("researcher").getLast().messages().getLast()))
                    .contains("was not approved", "no way");
            assertThat(Wire.lines(script.requestsOf("supervisor").getLast()).getLast())
                    .isEqualTo("tool: agent-researcher = I was not allowed");
            assertThat(second.result()).finished().hasText("Declined it seems");
            assertThat(deleted).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void case14fTwoSubAgentsAtOnceAreBothApprovedInAnyOrder(int which) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Delete r1").and(Turn.delegates("writer", "Delete r2")),
                        Turn.says("All done")),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Deleted r1")),
                Turns.of("writer", Turn.calls("deleteRecord", Map.of("id", "r2")), Turn.says("Deleted r2")));
        try (TestRuntime test = runtime(script, both(delete()))) {
            List<PendingApproval> pending = started(test).result().pendingApprovals();
            assertThat(pending)
                    .extracting(approval -> approval.path().toString())
                    .containsExactly("supervisor/researcher", "supervisor/writer");
            PendingApproval other = pending.get(1 - which);

            Read first = answered(test, pending.get(which), ApprovalAnswer.approve(ANN));
            assertThat(first.result().status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(first.result().text()).isEmpty();
            assertThat(first.result().pendingApprovals()).containsExactly(other);
            assertThat(deleted).containsExactly(which == 0 ? "r1" : "r2");

            Read second = answered(test, other, ApprovalAnswer.approve(ANN));
            assertThat(second.result()).finished().hasText("All done").hasUsage(Usage.of(20, 10));
            assertThat(second.result().toolResults().stream()
                            .map(result -> result.output().orElseThrow().text()))
                    .containsExactly("\"Deleted r1\"", "\"Deleted r2\"");
            assertThat(deleted).containsExactlyInAnyOrder("r1", "r2");
            assertThat(script.askedAgents())
                    .containsExactlyInAnyOrder(
                            "supervisor", "researcher", "writer", "researcher", "writer", "supervisor");
        }
    }
}
