package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A tool that deletes, an agent that has it, and what tests ask of what waits. */
abstract class ApprovalFixture {

    static final Approver ANN = Approver.of("ann");

    record Delete(String id) {}

    final Queue<String> deleted = new ConcurrentLinkedQueue<>();

    Tool delete() {
        return deleting().requiresApproval().build();
    }

    Tool.Builder<Delete> deleting() {
        return Tool.builder("deleteRecord", "Deletes a record.")
                .input(Delete.class)
                .handler((in, context) -> Steps.noted(deleted, in.id(), Map.of("deleted", in.id())));
    }

    /** Starts the agent {@code lead} and returns what it waits for first. */
    static PendingApproval pending(TestRuntime test) {
        return test.agent("lead").generate("Go").pendingApprovals().getFirst();
    }

    static Script deletesOnce() {
        return Scripts.on("lead", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Deleted"));
    }

    static void refused(ApprovalException.Kind kind, Runnable answer) {
        assertThatThrownBy(answer::run).isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                .isEqualTo(kind));
    }

    static List<String> names(List<RunEvent> events) {
        return events.stream().map(RunEvent::type).toList();
    }

    TestRuntime runtime(Script script, Agent... agents) {
        return TestRuntime.builder(script)
                .store(InMemoryStore.keepingEndedRuns())
                .agents(agents)
                .build();
    }

    static Agent lead(Tool... tools) {
        return Agent.builder("lead")
                .instructions("Lead.")
                .model("none/none")
                .tools(tools)
                .build();
    }

    /** Returns a supervisor of researcher and writer, who have the same tool. */
    static Agent both(Tool tool) {
        return Agent.builder("supervisor")
                .instructions("You supervise.")
                .model("none/none")
                .agents(Crew.member("researcher", tool), Crew.member("writer", tool))
                .build();
    }

    /** Researcher deletes for the supervisor; both say something at the end. */
    static Script nested(String researcher, String supervisor) {
        return Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Delete r1"), Turn.says(supervisor)),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says(researcher)));
    }
}
