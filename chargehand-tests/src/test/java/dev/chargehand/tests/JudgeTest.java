package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scorers that ask a model: what it is asked, and who pays for it. */
class JudgeTest {

    /** Asks the model of {@code judge} whether the answer will do. */
    private static final Scorer JUDGE = Scorer.of("judge", answer -> {
        String verdict = answer.ask(
                        ModelChoice.of("scripted/judge"),
                        List.of(Message.system("You judge."), Message.user("Is this good: " + answer.text())))
                .text();
        return verdict.equals("yes") ? Score.pass() : Score.fail(verdict);
    });

    @Test
    void aJudgeIsAskedWithoutToolsAndItsWordsReachTheModel() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.completion(Completion.all(JUDGE)),
                Turns.saying("solo", "Draft", "Better"),
                Turns.of("judge", Turn.says("too short"), Turn.says("yes")));
        assertThat(ran.request("judge", 1)).containsExactly("system: You judge.", "user: Is this good: Draft");
        assertThat(ran.script().requestsOf("judge"))
                .allSatisfy(request -> assertThat(request.tools()).isEmpty());
        assertThat(ran.request("solo", 2).getLast()).contains("- judge: failed (score 0.0, needed 1.0): too short");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("Better");
    }

    @Test
    void theTokensOfJudgesCountInTheTotalAndNotAsTheAgents() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.completion(Completion.all(JUDGE)),
                Turns.saying("solo", "Draft"),
                Turns.of("judge", Turn.says("yes").uses(100, 7)));
        assertThat(ran.result()).hasUsage(Usage.of(10, 5)).hasTotalUsage(Usage.of(110, 12));
        assertThat(ran.all(RunEvent.ScoringComplete.class))
                .extracting(event -> event.usage())
                .containsExactly(Usage.of(100, 7));
        assertThat(ran.events().getLast().toJson().text()).contains("\"inputTokens\":110");
    }

    @Test
    void theTokensOfJudgesCountInTheBudget() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.budget(b -> b.tokens(500)).completion(Completion.all(JUDGE)),
                Turns.saying("solo", "Draft", "never"),
                Turns.of("judge", Turn.says("no").uses(1_000, 0)));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.BudgetExhausted("tokens"))
                .hasText("Draft")
                .hasSteps(1);
    }

    @Test
    void theCallsOfJudgesCountInTheBudgetAndAJudgeThatMayNotBeAskedFails() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.budget(b -> b.calls(1)).completion(Completion.all(JUDGE)),
                Turns.saying("solo", "Draft"),
                Turns.of("judge"));
        assertThat(ran.script().requestsOf("judge")).isEmpty();
        assertThat(ran.result()).stoppedBecause(new StopReason.BudgetExhausted("calls"));
        assertThat(ran.result().completion().orElseThrow().scorers().getFirst().reason())
                .contains("budget for calls is spent");
    }

    @Test
    void theTokensOfAJudgeBelowCountAtTheTop() {
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.agent(
                        "researcher", agent -> agent.defaultOptions(o -> o.completion(Completion.all(JUDGE))))),
                () -> Scripts.oneDelegation().on("judge").says("yes").uses(100, 0));
        assertThat(ran.result()).finished().hasTotalUsage(Usage.of(130, 15));
    }

    @Test
    void aJudgeThatCannotBeReachedCountsAsFailed() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.completion(Completion.all(JUDGE).continueOnFail(false)),
                Turns.saying("solo", "Draft"),
                Turns.of(
                        "judge",
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "Refused.", null))));
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskIncomplete());
        assertThat(ran.result().completion().orElseThrow().scorers().getFirst().reason())
                .startsWith("the scorer failed: ");
    }
}
