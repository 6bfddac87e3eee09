package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Hooks, scorers, steps and budgets hold in a network by the same means as elsewhere. */
class NetworkControlTest extends NetworkFixture {

    private static Script researching() {
        return Scripts.of(
                        Turns.of("researcher", Turn.says("FA").forever()),
                        Turns.of("writer", Turn.says("WB").forever()),
                        Turns.saying("supervisor", Routed.agent("researcher", "Find")))
                .then();
    }

    @Test
    void hooksOfDelegationsAreAskedAboutAChosenAgent() {
        List<DelegationStartContext> started = new CopyOnWriteArrayList<>();
        Ran ran = network(() -> researching().says(Routed.complete("ok", "")))
                .options(o -> o.onDelegationStart(d -> Steps.noted(
                                started, d, DelegationDecision.proceed().withPrompt(d.prompt() + " well")))
                        .onDelegationComplete(d -> d.accept().withText("Better: " + d.text())))
                .run();
        assertThat(started).extracting(DelegationStartContext::prompt).containsExactly("Find", "Find");
        assertThat(started.getLast().messages()).hasSize(1);
        assertThat(ran.request("researcher", 1).getLast()).isEqualTo("user: Find well");
        assertThat(ran.result()).hasText("Better: FA");
    }

    @Test
    void aRejectedAgentIsAnErrorThatTheRouterSees() {
        Ran ran = network(() -> researching()
                        .says(Routed.incomplete("nothing was found"))
                        .then()
                        .says(Routed.none("Then not.")))
                .options(o -> o.onDelegationStart(d -> DelegationDecision.reject("Premium required")))
                .run();
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.request("supervisor", 3))
                .anyMatch(line -> line.startsWith("user: <error-") && line.contains("Premium required"));
        assertThat(Routed.types(ran.events())).contains("agent-execution-event-delegation-rejected");
        assertThat(Routed.types(ran.events()))
                .doesNotContain(
                        "agent-execution-start", "agent-execution-event-tool-call", "agent-execution-event-tool-error");
        assertThat(ran.result()).finished().hasText("Then not.");
    }

    @Test
    void aGuardRefusesAToolThatWasChosen() {
        Ran ran = run(
                o -> o.beforeToolCall(call -> ToolCallDecision.deny("Private.")),
                Turns.saying(
                        "supervisor",
                        Routed.tool("look", "{}"),
                        Routed.incomplete("refused"),
                        Routed.none("No looking.")));
        assertThat(Routed.types(ran.events()))
                .containsSubsequence(
                        "tool-execution-start", "tool-execution-event-tool-output-denied", "tool-execution-end");
        assertThat(ran.result()).toolFailed("look", "Private.").hasText("No looking.");
    }

    @Test
    void aBailEndsTheNetworkWithTheAgentsText() {
        Ran ran = network(NetworkControlTest::researching)
                .options(o -> o.onDelegationComplete(d -> d.bail()))
                .run();
        assertThat(ran.result()).hasStatus(RunStatus.COMPLETED).hasText("FA");
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Bailed.class);
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher");
        assertThat(Routed.types(ran.events())).contains("agent-execution-event-delegation-bail");
        assertThat(ran.all(RunEvent.NetworkFinish.class)).singleElement().satisfies(end -> assertThat(end.text())
                .isEqualTo("FA"));
    }

    @Test
    void anAgentSeesWhatWasSaidAndNothingOfTheRouting() {
        List<List<Message>> offered = new CopyOnWriteArrayList<>();
        Ran ran = network(() -> researching()
                        .says(Routed.incomplete("write it"))
                        .then()
                        .says(Routed.agent("writer", "Write: FA"))
                        .then()
                        .says(Routed.complete("ok", "")))
                .options(o -> o.messageFilter(f -> Steps.noted(offered, f.messages(), f.messages())))
                .run();
        assertThat(ran.request("writer", 1))
                .containsExactly("system: You are writer.", "user: Do the task", "user: Write: FA");
        assertThat(offered).allSatisfy(messages -> assertThat(messages).hasSize(1));
    }

    @Test
    void scorersTakeThePlaceOfTheCheckAndScoreEveryStep() {
        List<String> scored = new CopyOnWriteArrayList<>();
        List<CompletionResult> told = new CopyOnWriteArrayList<>();
        Ran ran = network(() -> researching().says(Routed.agent("writer", "Write")))
                .options(o -> o.completion(Completion.all(Scorer.of(
                                "written",
                                context -> Steps.noted(
                                        scored,
                                        context.text(),
                                        context.text().startsWith("W") ? Score.pass() : Score.fail("Not written."))))
                        .onComplete(told::add)))
                .run();
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor", "writer");
        assertThat(Both.alike(scored)).containsExactly("FA", "WB");
        assertThat(Both.alike(told)).extracting(CompletionResult::complete).containsExactly(false, true);
        assertThat(ran.request("supervisor", 2).getLast()).contains("written", "Not written.", "Choose what is");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("WB");
    }

    @Test
    void whatTheRouterAnswersItselfIsScoredToo() {
        Ran ran = run(
                o -> o.completion(Completion.all(Scorers.minLength(10))),
                Turns.saying("supervisor", Routed.none("Short."), Routed.none("A longer answer.")));
        assertThat(ran.request("supervisor", 2))
                .contains("assistant: (because) Short.")
                .anyMatch(line -> line.startsWith("system: The task is not complete yet."));
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("A longer answer.");
    }

    @Test
    void failedScorersMayEndTheNetwork() {
        Ran ran = network(NetworkControlTest::researching)
                .options(o -> o.completion(Completion.all(Scorers.minLength(10)).continueOnFail(false)))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskIncomplete()).hasText("FA");
        assertThat(Routed.types(ran.events())).contains("network-execution-event-finish");
    }

    @Test
    void aCheckThatGivesNoVerdictHasFailedAndTheNetworkGoesOn() {
        Ran ran = network(
                        () -> researching().says("It looks fine to me.").then().says(Routed.none("Fine.")))
                .run();
        assertThat(ran.request("supervisor", 3).getLast()).contains("default-completion", "the scorer failed");
        assertThat(ran.result()).finished().hasText("Fine.").hasTotalUsage(Usage.of(40, 20));
    }

    @Test
    void aVerdictThatWasCutIsNone() {
        Ran ran = network(() -> researching()
                        .says(Routed.complete("ok", "It is"))
                        .finishes(FinishReason.LENGTH)
                        .then()
                        .says(Routed.none("Fine.")))
                .run();
        assertThat(ran.result()).finished().hasText("Fine.");
    }

    @Test
    void aCheckWhoseModelFailsHasFailedAndTheNetworkGoesOn() {
        Ran ran = network(() -> researching()
                        .failsWith(new ModelException(ModelException.Kind.INVALID_REQUEST, "no", null))
                        .then()
                        .says(Routed.none("Fine.")))
                .run();
        assertThat(ran.result()).finished().hasText("Fine.");
    }

    @Test
    void aHookStopsTheNetwork() {
        Ran ran = network(NetworkControlTest::researching)
                .options(o -> o.onIterationComplete(it -> it.subAgentsInvoked().contains("researcher")
                        ? IterationDecision.stop()
                        : IterationDecision.proceed()))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.StoppedByHook()).hasText("FA");
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher");
    }

    @Test
    void aHookThatStopsWithFeedbackGetsOneAnswerInWords() {
        Ran ran = network(() -> researching().says("Wrapped: FA"))
                .options(o -> o.maxSteps(1).onIterationComplete(it -> IterationDecision.stopWith("Wrap up.")))
                .run();
        assertThat(ran.request("supervisor", 2).getFirst()).isEqualTo("system: You supervise.");
        assertThat(ran.request("supervisor", 2).getLast()).isEqualTo("system: Wrap up.");
        assertThat(ran.script().requestsOf("supervisor").get(1).output()).isNull();
        assertThat(ran.result()).stoppedBecause(new StopReason.StoppedByHook()).hasText("Wrapped: FA");
        assertThat(Routed.types(ran.events()))
                .containsSubsequence(
                        "network-execution-event-step-finish",
                        "routing-agent-start",
                        "routing-agent-text-start",
                        "routing-agent-text-delta",
                        "routing-agent-text-end",
                        "routing-agent-end",
                        "network-execution-event-step-finish",
                        "network-execution-event-finish");
    }

    @Test
    void feedbackOfAHookReachesTheRouterOnceAndNoAgent() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = network(() -> researching()
                        .says(Routed.incomplete("go on"))
                        .then()
                        .says(Routed.agent("writer", "Write"))
                        .then()
                        .says(Routed.complete("ok", "")))
                .options(o -> o.onIterationComplete(it -> {
                    heard.add(it);
                    return it.iteration() == 1
                            ? IterationDecision.proceedWith("Keep it short.")
                            : IterationDecision.proceed();
                }))
                .run();
        assertThat(ran.request("supervisor", 3)).contains("system: Keep it short.");
        assertThat(ran.request("writer", 1)).noneMatch(line -> line.contains("Keep it short."));
        assertThat(heard.getLast().steps()).hasSize(2);
        assertThat(heard.getLast().isFinal()).isFalse();
        assertThat(ran.result()).hasText("WB");
    }

    @Test
    void maxStepsIsTheNumberOfIterations() {
        for (int most = 1; most <= 3; most++) {
            int steps = most;
            Ran ran = network(() -> researching()
                            .says(Routed.incomplete("1"))
                            .then()
                            .says(Routed.agent("writer", "Write"))
                            .then()
                            .says(Routed.incomplete("2"))
                            .then()
                            .says(Routed.tool("look", "{}"))
                            .then()
                            .says(Routed.incomplete("3")))
                    .options(o -> o.maxSteps(steps))
                    .run();
            assertThat(ran.result())
                    .stoppedBecause(new StopReason.MaxStepsReached(steps))
                    .hasSteps(steps);
            assertThat(ran.all(RunEvent.RoutingAgentEnd.class)).hasSize(steps);
            assertThat(ran.all(RunEvent.NetworkFinish.class))
                    .singleElement()
                    .satisfies(end -> assertThat(end.iterations()).isEqualTo(steps));
        }
    }

    @Test
    void theSameDecisionAgainAndAgainEndsTheNetwork() {
        Ran ran = network(() -> researching()
                        .says(Routed.incomplete("1"))
                        .then()
                        .says(Routed.agent("researcher", "Find"))
                        .then()
                        .says(Routed.incomplete("2"))
                        .then()
                        .says(Routed.agent("researcher", "Find"))
                        .then()
                        .says(Routed.incomplete("3")))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.LimitReached("identicalCalls"));
    }

    @Test
    void aStopConditionEndsTheNetwork() {
        Ran ran = network(() -> researching().says(Routed.incomplete("more")))
                .options(o -> o.stopWhen(step -> step.steps().getLast().text().equals("FA")))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StopConditionMet(0))
                .hasText("FA");
    }

    @Test
    void aBudgetHoldsForEveryCall() {
        Ran ran = network(() -> researching().says(Routed.incomplete("more")))
                .options(o -> o.budget(budget -> budget.tokens(40)))
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.BudgetExhausted("tokens"));
        assertThat(ran.result().totalUsage()).isEqualTo(Usage.of(30, 15));
        Ran early = network(NetworkControlTest::researching)
                .options(o -> o.budget(budget -> budget.calls(1)))
                .run();
        assertThat(early.result()).hasStatus(RunStatus.INCOMPLETE);
    }

    @Test
    void usageCountsEveryCallByWhoMadeIt() {
        Ran ran = network(() -> researching().says(Routed.complete("ok", ""))).run();
        assertThat(ran.result().usageByAgent())
                .containsOnly(
                        entry("supervisor", Usage.of(10, 5)),
                        entry("researcher", Usage.of(10, 5)),
                        entry("scorers:", Usage.of(10, 5)));
    }

    @Test
    void anAgentThatFailsIsAnErrorThatTheRouterSees() {
        Ran ran = run(
                Turns.saying(
                        "supervisor",
                        Routed.agent("researcher", "Find"),
                        Routed.incomplete("it failed"),
                        Routed.agent("writer", "Write"),
                        Routed.complete("ok", "")),
                Turns.of(
                        "researcher",
                        Turn.failsWith(new ModelException(ModelException.Kind.INVALID_REQUEST, "no", null))),
                Turns.saying("writer", "WB"));
        assertThat(Routed.types(ran.events()))
                .containsSubsequence(
                        "agent-execution-event-error",
                        "agent-execution-event-finish",
                        "agent-execution-end",
                        "network-execution-event-step-finish");
        assertThat(ran.request("supervisor", 3))
                .anyMatch(line -> line.startsWith("user: <error-") && line.contains("model-invalid-request"));
        assertThat(ran.result()).hasText("WB");
    }
}
