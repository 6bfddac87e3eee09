package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
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

/** Calls of sub-agents that wait for a human. */
class NestedApprovalTest extends ApprovalFixture {

    @Test
    void whatARunThatWaitsHasSpentCountsForTheBudgetOfItsTree() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Delete r1").and(Turn.delegates("writer", "Delete r2"))),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Deleted r1")),
                Turns.of("writer", Turn.calls("deleteRecord", Map.of("id", "r2"))));
        try (TestRuntime test = runtime(script, both(delete()))) {
            RunResult waiting = test.agent("supervisor").generate("Go", o -> o.budget(b -> b.calls(3)));
            RunResult still = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();

            // supervisor, researcher and writer have spent it: nothing is left for the researcher's answer
            assertThat(deleted).containsExactly("r1");
            assertThat(script.requestsOf("researcher")).hasSize(1);
            assertThat(still.pendingApprovals()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBailWinsOverWhatWaits(boolean cancelSiblings) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Delete r1")
                                .and(Turn.calls("deleteRecord", Map.of("id", "r3")))
                                .and(Turn.delegates("writer", "Write"))),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1"))),
                Turns.saying("writer", "The answer"));
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", delete()), delete());
        try (TestRuntime test = runtime(script, supervisor)) {
            RunResult done = test.agent("supervisor").generate("Go", o -> o.cancelSiblings(cancelSiblings)
                    .bailStrategy(BailStrategy.LAST)
                    .onDelegationComplete(d -> d.key().equals("writer") ? d.bail() : d.accept()));

            assertThat(done.stopReason()).isInstanceOf(StopReason.Bailed.class);
            assertThat(done.text()).isEqualTo("The answer");
            assertThat(deleted).isEmpty();
            assertThat(test.store().list(RunFilter.ROOTS.tree(done.runId())))
                    .extracting(RunRecord::status)
                    .allMatch(RunStatus::isEnded);
            test.events().stream()
                    .filter(RunEvent.ToolCallApproval.class::isInstance)
                    .map(event -> ((RunEvent.ToolCallApproval) event).approval())
                    .forEach(approval -> refused(
                            ApprovalException.Kind.ALREADY_DECIDED,
                            () -> test.runtime().approve(approval, ANN).result()));
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void aWaitingRunCanBeCancelledWithAllBelowIt() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Delete r1")),
                Turns.of("researcher", Turn.calls("deleteRecord", Map.of("id", "r1"))));
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            RunResult waiting = test.agent("supervisor").generate("Go", Crew::inThread);
            PendingApproval approval = waiting.pendingApprovals().getFirst();

            assertThat(test.runtime().cancel(waiting.runId())).isTrue();

            assertThat(test.store().list(RunFilter.ROOTS.tree(waiting.runId())))
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
            assertThat(test.runtime().resume(waiting.runId(), o -> {}).result().stopReason())
                    .isEqualTo(new StopReason.Cancelled("caller"));
            refused(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    () -> test.runtime().approve(approval, ANN).result());
            assertThat(deleted).isEmpty();
            assertThat(test.runtime().cancel(waiting.runId())).isFalse();
        }
    }

    @Test
    void theStreamOfAWaitingRunEndsAndTheEventsOfItsAnswerFollow() {
        Script script = nested("Deleted r1", "All done");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            List<RunEvent> first = new ArrayList<>();
            RunResult waiting;
            try (RunStream run = test.agent("supervisor").stream("Go")) {
                run.forEach(first::add);
                waiting = run.result();
            }
            assertThat(first.getLast())
                    .isInstanceOfSatisfying(RunEvent.RunSuspend.class, suspend -> assertThat(suspend.pending())
                            .isEqualTo(waiting.pendingApprovals()));
            assertThat(names(first))
                    .containsSubsequence("delegation-start", "tool-call-approval", "run-suspend", "run-suspend");

            List<RunEvent> second = new ArrayList<>();
            RunResult done = test.runtime()
                    .answer(
                            waiting.pendingApprovals().getFirst(),
                            ApprovalAnswer.approve(ANN),
                            o -> o.addListener(second::add))
                    .result();
            assertThat(done.text()).isEqualTo("All done");
            assertThat(names(second))
                    .containsSubsequence(
                            "run-resume",
                            "run-resume",
                            "tool-result",
                            "step-finish",
                            "run-finish",
                            "delegation-end",
                            "tool-result",
                            "step-finish",
                            "run-finish");
            assertThat(second.getLast()).isInstanceOf(RunEvent.RunFinish.class);
        }
    }
}
