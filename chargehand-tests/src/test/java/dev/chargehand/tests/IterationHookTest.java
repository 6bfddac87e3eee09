package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What {@code onIterationComplete} is told, and what becomes of what it says. */
class IterationHookTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String TASK = "user: Do the task";
    private static final String CALL = "assistant: agent-researcher{\"prompt\":\"P\"}";
    private static final String RESULT = "tool: agent-researcher = Fact";

    // PRD 7.1: onIterationComplete called with correct context
    @Test
    void theHookIsToldTheStepTheStepsBeforeItAndWhereTheRunStands() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.maxSteps(4)
                        .thread("t")
                        .resource("u")
                        .onIterationComplete(it -> Steps.noted(heard, it, IterationDecision.proceed())),
                Scripts::oneDelegation);
        assertThat(heard).hasSize(4);
        IterationContext first = heard.get(2);
        IterationContext second = heard.get(3);
        assertThat(first.iteration()).isEqualTo(1);
        assertThat(first.maxSteps()).isEqualTo(4);
        assertThat(first.originalTask()).isEqualTo("Do the task");
        assertThat(first.text()).isEmpty();
        assertThat(first.currentStep().finishReason()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(first.currentStep().toolResults()).singleElement().satisfies(IterationHookTest::isTheDelegation);
        assertThat(first.steps()).containsExactly(first.currentStep());
        assertThat(first.subAgentsInvoked()).containsExactly("researcher");
        assertThat(first.isFinal()).isFalse();
        assertThat(first.messages().stream().map(Wire::line)).containsExactly(TASK, CALL, RESULT);
        assertThat(first.run().runId()).isEqualTo(ran.result().runId());
        assertThat(first.run().agentId()).isEqualTo("supervisor");
        assertThat(first.run().path()).hasToString("supervisor");
        assertThat(first.run().threadId()).contains("t");
        assertThat(first.run().resourceId()).contains("u");
        assertThat(second.iteration()).isEqualTo(2);
        assertThat(second.text()).isEqualTo("Done");
        assertThat(second.currentStep().finishReason()).isEqualTo(FinishReason.STOP);
        assertThat(second.steps()).isEqualTo(ran.result().steps());
        assertThat(second.isFinal()).isTrue();
        assertThat(second.messages().stream().map(Wire::line)).containsExactly(TASK, CALL, RESULT, "assistant: Done");
    }

    private static void isTheDelegation(ToolOutcome outcome) {
        assertThat(outcome.toolName()).isEqualTo("agent-researcher");
        assertThat(outcome.arguments()).isEqualTo("{\"prompt\":\"P\"}");
        assertThat(outcome.output().orElseThrow().string()).contains("Fact");
    }

    // PRD 7.1: onIterationComplete continue: false stops loop
    @Test
    void stopEndsTheRunWithWhatItHas() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onIterationComplete(it -> IterationDecision.stop()),
                Turns.of("supervisor", Turn.says("Half. ").and(Turn.delegates("researcher", "P"))),
                Turns.saying("researcher", "Fact"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StoppedByHook())
                .hasText("Half. ")
                .hasSteps(1)
                .delegatedTo("researcher", "P");
        assertThat(ran.script().requestsOf("supervisor")).hasSize(1);
        assertThatEvents(ran.events()).areInOrder("delegation-end", "step-finish", "iteration-end", "run-finish");
    }

    // PRD 7.1: Feedback added as system message
    @Test
    void feedbackStandsAsAnInternalSystemMessageBeforeTheNextAnswer() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onIterationComplete(it ->
                        it.iteration() == 1 ? IterationDecision.proceedWith("Name it.") : IterationDecision.proceed()),
                Scripts::oneDelegation);
        assertThat(ran.request("supervisor", 2)).containsExactly(SYSTEM, TASK, CALL, RESULT, "system: Name it.");
        assertThat(ran.script()
                        .requestsOf("supervisor")
                        .get(1)
                        .messages()
                        .getLast()
                        .internal())
                .isTrue();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.result().messages().stream().map(Wire::line))
                .as("feedback is between the framework and the model")
                .containsExactly(TASK, CALL, RESULT, "assistant: Done");
        assertThat(ran.all(RunEvent.IterationEnd.class))
                .extracting(event -> event.feedback())
                .containsExactly(List.of("Name it."), List.of());
    }

    @Test
    void feedbackReachesTheModelAlsoWhenItHadFinished() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it ->
                        it.iteration() == 1 ? IterationDecision.proceedWith("More.") : IterationDecision.proceed()),
                Turns.saying("solo", "Draft", "Better"));
        assertThat(ran.request("solo", 2)).containsExactly(TASK, "assistant: Draft", "system: More.");
        assertThat(ran.result()).finished().hasText("Better").hasSteps(2);
    }

    @Test
    void feedbackStaysInTheConversationOfItsRunWhereItWasGiven() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> it.iteration() < 3
                        ? IterationDecision.proceedWith("Again " + it.iteration() + ".")
                        : IterationDecision.proceed()),
                Turns.saying("solo", "A", "B", "C"));
        assertThat(ran.request("solo", 3))
                .containsExactly(TASK, "assistant: A", "system: Again 1.", "assistant: B", "system: Again 2.");
    }

    @Test
    void proceedWithoutFeedbackOnAFinishedAnswerChangesNothing() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> IterationDecision.proceed()),
                Turns.saying("solo", "Draft"));
        assertThat(ran.result()).finished().hasText("Draft").hasSteps(1);
    }

    @Test
    void blankFeedbackIsNone() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onIterationComplete(it -> IterationDecision.proceedWith(" \n"))
                        .onDelegationComplete(end -> end.accept().withFeedback("")),
                Scripts::oneDelegation);
        assertThat(ran.result()).finished().hasSteps(2);
        assertThat(ran.request("supervisor", 2)).doesNotContain("system: ", "system:");
        assertThat(Both.run(
                                Crew.solo(),
                                o -> o.onIterationComplete(it -> IterationDecision.stopWith("")),
                                Turn.says("Done"))
                        .result())
                .stoppedBecause(new StopReason.StoppedByHook())
                .hasSteps(1);
    }

    @Test
    void feedbackDoesNotGiveTheRunMoreSteps() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.maxSteps(2).onIterationComplete(it -> IterationDecision.proceedWith("Again.")),
                Turns.saying("solo", "A", "B"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.MaxStepsReached(2))
                .hasText("B")
                .hasSteps(2);
    }

    @Test
    void stopWithFeedbackGivesExactlyOneMoreAnswerWithoutToolsHooksOrScorers() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(Crew.OK),
                o -> o.maxSteps(1)
                        .onIterationComplete(it ->
                                Steps.noted(asked, "hook " + it.iteration(), IterationDecision.stopWith("Wrap up.")))
                        .stopWhen(step -> Steps.noted(asked, "stopWhen " + step.step(), false))
                        .completion(Completion.all(Scorer.of(
                                        "never",
                                        context -> Steps.noted(asked, "scorer " + context.step(), Score.fail("no"))))
                                .everyStep()),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P"),
                        Turn.says("Wrapped").and(Turn.calls("ok", "{}"))),
                Turns.saying("researcher", "Fact"));
        assertThat(Both.alike(asked)).containsExactly("hook 1");
        assertThat(ran.request("supervisor", 2)).containsExactly(SYSTEM, TASK, CALL, RESULT, "system: Wrap up.");
        assertThat(Wire.tools(ran.script().requestsOf("supervisor").get(0))).isNotEmpty();
        assertThat(Wire.tools(ran.script().requestsOf("supervisor").get(1))).isEmpty();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StoppedByHook())
                .hasText("Wrapped")
                .hasSteps(2)
                .didNotCallTool("ok");
        assertThat(ran.all(RunEvent.IterationEnd.class))
                .extracting(event -> event.decision())
                .containsExactly("stop", null);
    }

    @Test
    void theAnswerAfterAStopWithFeedbackIsMadeWithinTheBudget() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.budget(b -> b.calls(1)).onIterationComplete(it -> IterationDecision.stopWith("Wrap up.")),
                Turns.saying("solo", "Draft"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("calls"))
                .hasText("Draft");
    }

    @Test
    void aLastAnswerThatSaysNothingLeavesTheOneBefore() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> IterationDecision.stopWith("Wrap up.")),
                Turns.saying("solo", "Draft", ""));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StoppedByHook())
                .hasText("Draft")
                .hasSteps(2);
    }

    @Test
    void theHookIsNotAskedAboutAMessageThatWasCut() {
        List<Integer> asked = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(
                        it -> Steps.noted(asked, it.iteration(), IterationDecision.proceedWith("Go on."))),
                Turn.of(t -> t.says("Partly").finishes(FinishReason.LENGTH)));
        assertThat(asked).isEmpty();
        assertThat(ran.result()).stoppedBecause(new StopReason.OutputTruncated());
    }

    @Test
    void theHookOfASubAgentDecidesAboutItsOwnRunOnly() {
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.agent(
                        "researcher",
                        agent -> agent.defaultOptions(o -> o.onIterationComplete(it -> it.iteration() == 1
                                ? IterationDecision.proceedWith("Check it.")
                                : IterationDecision.proceed())))),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.saying("researcher", "Draft", "Fact"));
        assertThat(ran.request("researcher", 2))
                .containsExactly(TASK, "user: P", "assistant: Draft", "system: Check it.");
        assertThat(ran.request("supervisor", 2)).containsExactly(SYSTEM, TASK, CALL, RESULT);
    }
}
