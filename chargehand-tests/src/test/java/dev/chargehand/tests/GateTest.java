package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.model.FinishReason;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.StepResult;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a run ends, and why: the ordered list of the gate. */
class GateTest {

    private static Supplier<Script> okThen(String answer) {
        return () ->
                Scripts.on("solo").says("First ").and().calls("ok", "{}").then().says(answer);
    }

    @Test
    void anAnswerWithoutCallsEndsTheRun() {
        Ran ran = Both.ways(() -> Scripts.on("solo").says("Hi")).run();
        assertThat(ran.result())
                .finished()
                .hasStatus(RunStatus.COMPLETED)
                .hasText("Hi")
                .hasSteps(1);
    }

    @Test
    void aRunMakesTenStepsUnlessToldOtherwiseAndADelegationFive() {
        Ran ran = Both.run(Crew.supervisorOf(Crew.member("researcher", Crew.OK)), () -> {
            Script script = Scripts.on("supervisor");
            for (int i = 1; i <= 10; i++) {
                script.delegates("researcher", "P" + i).then();
            }
            return script.says("not reached")
                    .on("researcher")
                    .answers(Steps.counting())
                    .forever();
        });
        assertThat(ran.result())
                .stoppedBecause(new StopReason.MaxStepsReached(10))
                .hasSteps(10);
        assertThat(ran.script().requestsOf("researcher")).hasSize(50);
        assertThat(ran.result()).toolFailed("agent-researcher", "all of its 5 steps");
    }

    @Test
    void stopWhenEndsTheRunAfterTheStepThatMakesItTrue() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.stopWhen(List.of(step -> false, step -> step.text().startsWith("First"))),
                okThen("never"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StopConditionMet(1))
                .hasStatus(RunStatus.COMPLETED)
                .hasText("First ")
                .hasSteps(1)
                .calledTool("ok");
    }

    @Test
    void stopWhenIsAskedBeforeAnAnswerCountsAsFinished() {
        Ran ran = Both.run(Crew.solo(), o -> o.stopWhen(step -> true), Turn.says("Hi"));
        assertThat(ran.result()).stoppedBecause(new StopReason.StopConditionMet(0));
    }

    @Test
    void aStopWhenThatThrowsCountsAsFalseAndIsReported() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.stopWhen(List.of(
                        step -> Steps.failing(new IllegalStateException("bad predicate")), step -> step.step() == 2)),
                okThen("Done"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StopConditionMet(1))
                .hasText("Done");
        assertThatEvents(ran.events()).areInOrder("hook-error", "step-finish", "hook-error", "step-finish");
    }

    @Test
    void stopWhenSeesTheStepsWithTheirToolResults() {
        List<StepResult> seen = new ArrayList<>();
        Both.run(
                Crew.solo(Crew.OK),
                o -> o.stopWhen(step -> {
                    seen.addAll(step.steps());
                    return true;
                }),
                okThen("Done"));
        assertThat(seen.getFirst().toolResults().getFirst().output()).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "LENGTH, output-truncated",
        "CONTENT_FILTER, content-filtered",
        "MISSING, answer-incomplete",
        "UNKNOWN, answer-incomplete"
    })
    void toolCallsOfACutMessageAreNeverExecuted(FinishReason finish, String code) {
        List<String> executed = new ArrayList<>();
        Ran ran = Both.run(
                Crew.solo(Steps.noting(executed)),
                o -> o.stopWhen(step -> {
                    throw new AssertionError("nobody is asked about a cut message");
                }),
                Turn.of(t -> t.says("Partly").and().calls("note", "{}").finishes(finish)));
        assertThat(executed).isEmpty();
        assertThat(ran.result())
                .hasStatus(RunStatus.INCOMPLETE)
                .hasText("Partly")
                .hasSteps(1)
                .didNotCallTool("note");
        assertThat(ran.result().stopReason().code()).isEqualTo(code);
        assertThatEvents(ran.events()).doNotContain("tool-call").doNotContain("hook-error");
    }

    @Test
    void stopTogetherWithCompleteCallsRunsThem() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK), Turn.of(t -> t.calls("ok", "{}").finishes(FinishReason.STOP)), Turn.says("Done"));
        assertThat(ran.result()).finished().hasText("Done").calledTool("ok");
    }

    @Test
    void maxStepsHoldWhateverThePredicatesSay() {
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.maxSteps(1).stopWhen(step -> false), okThen("never"));
        assertThat(ran.result()).stoppedBecause(new StopReason.MaxStepsReached(1));
    }

    @Test
    void anAnswerInTheLastStepIsFinishedNotMaxSteps() {
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.maxSteps(2), okThen("Done"));
        assertThat(ran.result()).finished().hasText("Done");
    }

    @Test
    void aStepIsOnRecordBeforeStopWhenIsAsked() {
        List<String> facts = new ArrayList<>();
        Script script = okThen("Done").get();
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(Crew.solo(Crew.OK))
                    .generate(
                            "Go",
                            o -> o.stopWhen(step -> {
                                test.store().read(step.run().runId(), 0).forEach(fact -> facts.add(fact.type()));
                                return true;
                            }));
        }
        assertThat(facts).containsExactly("started", "answered", "call-opened", "call-closed");
    }

    @Test
    void theIntentIsOnRecordBeforeAToolStartsAndItsResultBeforeTheModelSeesIt() {
        List<String> facts = new ArrayList<>();
        Script script = Scripts.on("solo").calls("spy", "{}").then().says("Done");
        TestRuntime[] runtime = new TestRuntime[1];
        try (TestRuntime test = TestRuntime.with(script)) {
            runtime[0] = test;
            test.bind(Crew.solo(Steps.tool("spy", (in, ctx) -> {
                        runtime[0].store().read(ctx.runId(), 0).forEach(fact -> facts.add(fact.type()));
                        return "seen";
                    })))
                    .generate(
                            "Go",
                            o -> o.prepareStep(step -> {
                                if (step.step() == 2) {
                                    facts.add("then");
                                    test.store().read(step.run().runId(), 0).forEach(fact -> facts.add(fact.type()));
                                }
                                return dev.chargehand.hook.StepPlan.unchanged();
                            }));
        }
        assertThat(facts)
                .containsExactly(
                        "started",
                        "answered",
                        "call-opened",
                        "then",
                        "started",
                        "answered",
                        "call-opened",
                        "call-closed",
                        "step-closed");
    }
}
