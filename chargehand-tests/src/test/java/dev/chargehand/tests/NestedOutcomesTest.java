package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.DelegationOutcome;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The outcome of a delegation shows the run behind it: its thread and the outcomes of its own tool calls. */
class NestedOutcomesTest {

    private static Script script() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find"),
                        Turn.delegates("writer", "Write"),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.calls("look", "{\"q\":\"a\"}"), Turn.says("Fact")),
                Turns.saying("writer", "Text"));
    }

    private static Agent supervisor() {
        return Crew.supervisorOf(Crew.member("researcher", Crew.LOOK));
    }

    private static void isTheResearchers(DelegationOutcome outcome) {
        assertThat(outcome.agentId()).isEqualTo("researcher");
        assertThat(outcome.text()).isEqualTo("Fact");
        assertThat(outcome.stopReason()).isEqualTo(new StopReason.Finished());
        assertThat(outcome.usage()).isEqualTo(Usage.of(20, 10));
        assertThat(outcome.threadId()).hasValueSatisfying(id -> assertThat(id).startsWith("thread_"));
        assertThat(outcome.toolResults()).singleElement().satisfies(nested -> {
            assertThat(nested.toolName()).isEqualTo("look");
            assertThat(nested.output().orElseThrow().fields()).containsKey("secret");
            assertThat(nested.delegation()).isEmpty();
        });
    }

    @Test
    void hooksOfTheSupervisorSeeIt() {
        List<DelegationOutcome> seen = new ArrayList<>();
        try (TestRuntime test =
                TestRuntime.builder(script()).agents(supervisor()).build()) {
            test.agent("supervisor").generate("Go", o -> o.thread("t").onIterationComplete(it -> {
                it.currentStep()
                        .toolResults()
                        .forEach(outcome -> seen.add(outcome.delegation().orElseThrow()));
                return IterationDecision.proceed();
            }));
            assertThat(seen).hasSize(2).allSatisfy(outcome -> assertThat(outcome.threadId())
                    .isPresent());
            isTheResearchers(seen.getFirst());
            assertThat(seen.getLast().toolResults()).isEmpty();
        }
    }

    @Test
    void theResultHasItAndOnlyDelegationsHaveIt() {
        try (TestRuntime test =
                TestRuntime.builder(script()).agents(supervisor()).build()) {
            RunResult result = test.agent("supervisor").generate("Go", o -> o.thread("t"));
            List<ToolOutcome> outcomes = result.toolResults();
            assertThat(outcomes).hasSize(2);
            isTheResearchers(outcomes.getFirst().delegation().orElseThrow());
        }
    }

    @Test
    void aDelegationWithoutAThreadHasNone() {
        try (TestRuntime test =
                TestRuntime.builder(script()).agents(supervisor()).build()) {
            RunResult result = test.agent("supervisor").generate("Go");
            DelegationOutcome outcome =
                    result.toolResults().getFirst().delegation().orElseThrow();
            assertThat(outcome.threadId()).isEmpty();
            assertThat(outcome.toolResults()).hasSize(1);
        }
    }

    @Test
    void theSubAgentsOfThisIterationAreNotThoseOfTheOnesBefore() {
        List<String> seen = new ArrayList<>();
        try (TestRuntime test =
                TestRuntime.builder(script()).agents(supervisor()).build()) {
            test.agent("supervisor")
                    .generate(
                            "Go",
                            o -> o.onIterationComplete(it -> Steps.noted(
                                    seen,
                                    it.subAgentsInvokedInThisIteration() + " of " + it.subAgentsInvoked(),
                                    IterationDecision.proceed())));
        }
        assertThat(seen)
                .containsExactly(
                        "[researcher] of [researcher]",
                        "[writer] of [researcher, writer]",
                        "[] of [researcher, writer]");
    }
}
