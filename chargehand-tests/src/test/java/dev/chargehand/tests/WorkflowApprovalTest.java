package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Approvals within agents that are steps of workflows, also below a nested workflow. */
class WorkflowApprovalTest extends ApprovalFixture {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .anyoneMayApprove()
                .workflows(workflows)
                .build();
    }

    private static Script cleaner() {
        return Scripts.on("cleaner", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Deleted"));
    }

    private static Step<String, String> clean(Script script, Tool tool) {
        return Agent.builder("cleaner")
                .model(script.modelFor("cleaner"))
                .tools(tool)
                .build()
                .asStep("clean", String.class, (input, context) -> "Clean " + input);
    }

    private static final Step<String, String> TITLE =
            Step.of("title", String.class, String.class, (input, context) -> "Title of " + input);

    private Workflow<String, Outputs> cleaning(Tool tool) {
        return Workflow.from("cleaning", String.class)
                .parallel(clean(cleaner(), tool), TITLE)
                .build(Outputs.class);
    }

    @Test
    void anotherProcessContinuesAfterTheApproval() {
        PendingApproval waiting;
        Workflow<String, Outputs> first = cleaning(delete());
        try (AgentRuntime runtime = runtime(first)) {
            WorkflowResult<Outputs> result = runtime.run(first, "r1", o -> {});
            assertThat(result.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(result.steps()).singleElement().satisfies(step -> assertThat(step.path())
                    .isEqualTo("title"));
            waiting = result.pending().getFirst();
            assertThat(waiting.path()).hasToString("cleaning/clean");
            assertThat(deleted).isEmpty();
        }
        // the model of this process is asked only after the call
        Script script = Scripts.on("cleaner", Turn.says("Deleted"));
        Workflow<String, Outputs> second = Workflow.from("cleaning", String.class)
                .parallel(clean(script, delete()), TITLE)
                .build(Outputs.class);
        try (AgentRuntime runtime = runtime(second)) {
            RunHandle run = runtime.approve(waiting, ANN);
            assertThat(run.result().object()).contains(Json.parse("{\"clean\":\"Deleted\",\"title\":\"Title of r1\"}"));
            assertThat(deleted).containsExactly("r1");
            assertThat(runtime.history(run.runId()))
                    .extracting(RunEvent::type)
                    .containsSubsequence("tool-call-approval", "run-suspend", "run-resume", "workflow-finish");
        }
    }

    @Test
    void aDeclinedCallIsAResultForTheAgent() {
        Workflow<String, Outputs> workflow = cleaning(delete());
        try (AgentRuntime runtime = runtime(workflow)) {
            PendingApproval waiting =
                    runtime.run(workflow, "r1", o -> {}).pending().getFirst();
            assertThat(runtime.decline(waiting, ANN, "No.").result().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void thePolicyOfTheWorkflowHoldsForItsAgents() {
        Workflow<String, Outputs> workflow = cleaning(deleting().build());
        try (AgentRuntime runtime = runtime(workflow)) {
            WorkflowResult<Outputs> result = runtime.run(
                    workflow,
                    "r1",
                    o -> o.requireToolApproval(call -> call.toolName().equals("deleteRecord")));
            assertThat(result.pending()).hasSize(1);
        }
    }

    @Test
    void aSuspendedRunIsCancelledWithItsAgent() {
        Workflow<String, Outputs> workflow = cleaning(delete());
        try (AgentRuntime runtime = runtime(workflow)) {
            RunHandle run = runtime.start(workflow, "r1", o -> {});
            assertThat(run.result().status()).isEqualTo(RunStatus.SUSPENDED);
            runtime.cancel(run.runId());
            assertThat(store.list(RunFilter.ALL))
                    .hasSize(2)
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
        }
    }
}
