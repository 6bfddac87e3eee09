package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scored;
import dev.chargehand.completion.Scorer;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.Limit;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scorers as steps of workflows. */
class WorkflowScorerStepTest {

    record Draft(String text) {}

    private static final Scorer POLITE = Scorer.of(
            "polite: please",
            run -> run.text().contains("please")
                    ? Score.pass()
                    : Score.of(0.4, "Add 'please' to " + run.originalTask()));

    private final TestRuntime test = TestRuntime.with(Scripts.of());

    @AfterEach
    void close() {
        test.close();
    }

    private static Workflow<String, Scored> only(Step<String, Scored> step) {
        return Workflow.from("flow", String.class).then(step).build(Scored.class);
    }

    @Test
    void aLowScoreIsAResultThatAConditionCanRead() {
        Step<Scored, String> send = Step.of("send", Scored.class, String.class, (score, context) -> "sent");
        Step<Scored, String> reject = Step.of("reject", Scored.class, String.class, (score, context) -> score.reason());
        Workflow<Draft, String> workflow = Workflow.from("mailing", Draft.class)
                .then(Step.scorer("polite", POLITE, Draft.class, (draft, context) -> draft.text()))
                .branch(Branch.when("good", (Scored score, WorkflowContext context) -> score.passed(), send)
                        .otherwise(reject))
                .build(String.class);
        assertThat(test.runtime()
                        .run(workflow, new Draft("Go, please"), o -> {})
                        .output())
                .isEqualTo("sent");
        assertThat(test.runtime().run(workflow, new Draft("Go"), o -> {}).output())
                .isEqualTo("Add 'please' to {\"text\":\"Go\"}");
    }

    @Test
    void theResultHasTheScoreAndTheThreshold() {
        WorkflowResult<Scored> result =
                test.runtime().run(only(Step.scorer("polite", POLITE.withThreshold(0.4))), "Go", o -> {});
        assertThat(result.output().scorer()).isEqualTo("polite: please");
        assertThat(result.output().score()).isEqualTo(0.4);
        assertThat(result.output().threshold()).isEqualTo(0.4);
        assertThat(result.output().passed()).isTrue();
    }

    @Test
    void aScorerThatThrowsOrGivesNoScoreFailsTheAttempt() {
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        Scorer flaky = Scorer.of("flaky", run -> {
            asked.add(run.text());
            return switch (asked.size()) {
                case 1 -> throw new IllegalStateException("busy");
                case 2 -> Score.of(Double.NaN, "");
                case 3 -> null;
                default -> Score.pass("at last");
            };
        });
        Step<String, Scored> step = Step.scorer("flaky", flaky);
        Backoff soon = Backoff.fixed(Duration.ofMillis(1));
        assertThat(test.runtime()
                        .run(only(step.retries(3, soon)), "x", o -> {})
                        .output()
                        .reason())
                .isEqualTo("at last");
        asked.clear();
        assertThatThrownBy(() -> test.runtime().run(only(step.retries(1, soon)), "x", o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("Step 'flaky' failed after 2 attempts")
                .hasMessageContaining("Scorer 'flaky' gave NaN; a score is from 0 to 1.");
    }

    /** Each attempt asks the judge, and fails once. */
    private static Step<String, Scored> judged(Script script, ConcurrentLinkedQueue<String> asked) {
        ModelChoice judge = ModelChoice.of(script.modelFor("judge"));
        return Step.scorer("judged", Scorer.of("judge", run -> {
                    String said = run.ask(judge, List.of(Message.user("Is it good? " + run.text())))
                            .text();
                    asked.add(said);
                    if (asked.size() == 1) {
                        throw new IllegalStateException("Not a word of " + run.messages() + run.steps());
                    }
                    return Score.pass(said);
                }))
                .retries(1, Backoff.fixed(Duration.ofMillis(1)));
    }

    @Test
    void theJudgeOfEachAttemptIsOnTheAccountOfTheRun() {
        Script script = Scripts.on("judge", Turn.says("Hm"), Turn.says("Good"));
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        Step<String, Scored> step = judged(script, asked);
        Step<Scored, String> text = Step.of("text", Scored.class, String.class, (score, context) -> score.reason());
        Workflow<String, String> workflow =
                Workflow.from("flow", String.class).then(step).then(text).build(String.class);
        WorkflowResult<String> result = test.runtime().run(workflow, "x", o -> {});
        assertThat(result.output()).isEqualTo("Good");
        assertThat(result.totalUsage().totalTokens()).isPositive();
        assertThat(result.usageByAgent()).containsOnlyKeys("scorers:");
        RunResult stored = test.runtime().handle(result.runId()).result();
        assertThat(stored.totalUsage()).isEqualTo(result.totalUsage());
        assertThat(test.store().read(result.runId(), 0))
                .filteredOn(fact -> fact.text().contains("\"spent\":{\"modelCalls\":1"))
                .extracting(fact -> fact.type())
                .containsExactly("call-retried", "call-closed");
    }

    @Test
    void aJudgeBeyondTheLimitOfTheRunFailsTheStep() {
        Script script = Scripts.on("judge", Turn.says("Hm"), Turn.says("Good"));
        Step<String, Scored> step = judged(script, new ConcurrentLinkedQueue<>());
        assertThatThrownBy(() -> test.runtime().run(only(step), "x", o -> o.limit(Limit.MODEL_CALLS, 1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("Step 'judged' failed after 2 attempts: ")
                .hasMessageContaining("The judge was not called: ");
    }
}
