package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When scorers are asked, and what becomes of what they say. */
class CompletionTest {

    private static final String TASK = "user: Do the task";
    private static final Scorer LONG = containing("long");
    private static final Scorer CITED = containing("[1]");

    /** Passes answers that contain a text. */
    private static Scorer containing(String text) {
        return Scorer.of(
                "has-" + text,
                answer -> answer.text().contains(text) ? Score.pass() : Score.fail("Put " + text + " into it."));
    }

    private static Scorer noting(List<String> asked, String name, Score score) {
        return Scorer.of(name, answer -> Steps.noted(asked, name, score));
    }

    private static Ran scoring(Completion completion, String... drafts) {
        return Both.run(Crew.solo(), o -> o.completion(completion), Turns.saying("solo", drafts));
    }

    // PRD 7.1: Scorers all/any strategy works
    @Test
    void allMeansThatEveryScorerMustPass() {
        Ran ran = scoring(Completion.all(LONG, CITED), "long", "[1]", "long [1]");
        assertThat(ran.result())
                .hasStatus(RunStatus.COMPLETED)
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("long [1]")
                .hasSteps(3);
        assertThat(ran.result().completion().orElseThrow().scorers())
                .extracting(ScorerResult::scorer)
                .containsExactly("has-long", "has-[1]");
    }

    // PRD 7.1: Scorers all/any strategy works
    @Test
    void anyMeansThatOneScorerIsEnough() {
        Ran ran = scoring(Completion.any(LONG, CITED), "neither", "only [1]");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("only [1]")
                .hasSteps(2);
        assertThat(ran.result().completion().orElseThrow().scorers())
                .extracting(ScorerResult::passed)
                .containsExactly(false, true);
    }

    // PRD 7.1: Scorers run in correct order
    @Test
    void inSequenceScorersAreAskedInOrderAndNoMoreOfThemOnceTheOutcomeIsKnown() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Ran ran = scoring(
                Completion.all(
                                noting(asked, "first", Score.pass()),
                                noting(asked, "second", Score.fail("no")),
                                noting(asked, "third", Score.pass()))
                        .inSequence()
                        .continueOnFail(false),
                "Draft");
        assertThat(Both.alike(asked)).containsExactly("first", "second");
        assertThat(ran.result().completion().orElseThrow().scorers())
                .extracting(ScorerResult::scorer)
                .containsExactly("first", "second");
        asked.clear();
        scoring(
                Completion.any(noting(asked, "first", Score.fail("no")), noting(asked, "second", Score.pass()), LONG)
                        .inSequence(),
                "Draft");
        assertThat(Both.alike(asked)).containsExactly("first", "second");
    }

    // PRD 7.1: Scorers run in correct order
    @Test
    void scorersAreAskedSideBySideAndTheirResultsStandInTheOrderTheyWereGiven() {
        CyclicBarrier together = new CyclicBarrier(2);
        Scorer.Function meeting = answer -> {
            together.await();
            return Score.pass();
        };
        Ran ran = scoring(Completion.all(Scorer.of("b", meeting), Scorer.of("a", meeting)), "Draft");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete());
        assertThat(ran.result().completion().orElseThrow().scorers())
                .extracting(ScorerResult::scorer)
                .containsExactly("b", "a");
    }

    // PRD 7.1: Scorers run in correct order
    @Test
    void theIterationHookIsAskedBeforeTheScorersAndStopWhenAfterThem() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> Steps.noted(asked, "hook", IterationDecision.proceed()))
                        .stopWhen(step -> asked.add("stopWhen"))
                        .completion(Completion.all(noting(asked, "scorer", Score.fail("no")))),
                Turns.saying("solo", "Draft"));
        assertThat(Both.alike(asked)).containsExactly("hook", "scorer", "stopWhen");
    }

    @Test
    void aFailedAnswerIsGivenBackWithEachScorersNameScoreAndReason() {
        Scorer half = Scorer.of("depth", answer -> Score.of(answer.text().length() > 5 ? 0.9 : 0.5, "Go deeper."))
                .withThreshold(0.75);
        Ran ran = scoring(Completion.all(half, CITED), "[1]", "deeper [1]");
        assertThat(ran.request("solo", 2)).containsExactly(TASK, "assistant: [1]", """
                        system: The task is not complete yet. What the checks found:
                        - depth: failed (score 0.5, needed 0.75): Go deeper.
                        - has-[1]: passed (score 1.0, needed 1.0)
                        Fix what is missing and give the whole answer again.""");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("deeper [1]");
    }

    @Test
    void withoutContinueOnFailTheFirstFailureEndsTheRunAsIncomplete() {
        Ran ran = scoring(Completion.all(CITED).continueOnFail(false), "Draft");
        assertThat(ran.result())
                .hasStatus(RunStatus.INCOMPLETE)
                .stoppedBecause(new StopReason.TaskIncomplete())
                .hasText("Draft")
                .hasSteps(1);
        assertThat(ran.result().completion().orElseThrow().complete()).isFalse();
    }

    @Test
    void withoutFeedbackTheModelIsAskedAgainAndToldNothing() {
        Ran ran = scoring(Completion.all(CITED).feedbackToLLM(false), "Draft", "Draft [1]");
        assertThat(ran.request("solo", 2)).containsExactly(TASK, "assistant: Draft");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete());
    }

    @Test
    void onlyCandidateAnswersAreScoredUnlessEveryStepIs() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Scorer scorer = Scorer.of(
                "s",
                answer -> Steps.noted(
                        asked, answer.step() + answer.text(), answer.step() == 2 ? Score.pass() : Score.fail("no")));
        Both both = Both.ways(() -> Scripts.on("solo").calls("ok", "{}").then().says("Done"))
                .agent(Crew.solo(Crew.OK));
        both.options(o -> o.completion(Completion.all(scorer))).run();
        assertThat(Both.alike(asked)).containsExactly("2Done");
        asked.clear();
        Ran ran = both.options(o -> o.completion(Completion.all(scorer).everyStep()))
                .run();
        assertThat(Both.alike(asked)).containsExactly("1", "2Done");
        assertThat(ran.request("solo", 2).getLast()).startsWith("system: The task is not complete yet.");
    }

    @Test
    void everyStepCanCompleteATaskInAStepWithToolCalls() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.completion(Completion.all(Scorer.of(
                                "saved", answer -> answer.toolResults().isEmpty() ? Score.fail("no") : Score.pass()))
                        .everyStep()),
                Turn.says("Saved ").and(Turn.calls("ok", "{}")));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("Saved ")
                .hasSteps(1);
    }

    @Test
    void aScorerIsToldTheAnswerTheTaskAndWhatLedToIt() {
        List<ScorerContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.thread("t")
                        .resource("u")
                        .completion(Completion.all(Scorer.of("s", answer -> Steps.noted(heard, answer, Score.pass())))),
                Scripts::oneDelegation);
        ScorerContext told = heard.getLast();
        assertThat(told.text()).isEqualTo("Done");
        assertThat(told.step()).isEqualTo(2);
        assertThat(told.originalTask()).isEqualTo("Do the task");
        assertThat(told.steps()).isEqualTo(ran.result().steps());
        assertThat(told.toolResults()).isEqualTo(ran.result().toolResults());
        assertThat(told.messages().stream().map(Wire::line))
                .containsExactly(
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"P\"}",
                        "tool: agent-researcher = Fact",
                        "assistant: Done");
        assertThat(told.run().runId()).isEqualTo(ran.result().runId());
        assertThat(told.run().threadId()).contains("t");
        assertThat(told.run().resourceId()).contains("u");
    }

    @Test
    void feedbackOfTheHookStandsBeforeThatOfTheScorers() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> it.iteration() == 1
                                ? IterationDecision.proceedWith("Be kind.")
                                : IterationDecision.proceed())
                        .completion(Completion.all(CITED)),
                Turns.saying("solo", "Draft", "Draft [1]"));
        assertThat(ran.request("solo", 2).subList(2, 4))
                .satisfiesExactly(line -> assertThat(line).isEqualTo("system: Be kind."), line -> assertThat(line)
                        .contains("Put [1] into it."));
    }

    @Test
    void aPassDropsWhatTheHookWantedToSay() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> IterationDecision.proceedWith("More."))
                        .completion(Completion.all(CITED)),
                Turns.saying("solo", "Draft [1]"));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("Draft [1]")
                .hasSteps(1);
    }

    @Test
    void onCompleteHearsOfEveryResultAsTheRunHasIt() {
        List<CompletionResult> heard = new CopyOnWriteArrayList<>();
        Ran ran = scoring(Completion.all(CITED).onComplete(heard::add), "Draft", "Draft [1]");
        assertThat(Both.alike(heard)).extracting(CompletionResult::complete).containsExactly(false, true);
        assertThat(heard.getLast()).isEqualTo(ran.result().completion().orElseThrow());
    }

    @Test
    void aFailedModelCallIsNeverScored() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.completion(Completion.all(noting(asked, "s", Score.pass()))),
                Turn.says("Half").and(Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "No.", null))));
        assertThat(asked).isEmpty();
        assertThat(ran.result()).hasStatus(RunStatus.FAILED);
        assertThatEvents(ran.events()).doNotContain("scoring-start");
    }

    @ParameterizedTest
    @CsvSource({"NaN", "-0.1", "1.1", "Infinity"})
    void aScoreThatIsNoneCountsAsFailedAndSaysSo(double value) {
        Ran ran = scoring(
                Completion.all(Scorer.of("odd", answer -> Score.of(value, "fine")))
                        .continueOnFail(false),
                "Draft");
        ScorerResult result = ran.result().completion().orElseThrow().scorers().getFirst();
        assertThat(result.passed()).isFalse();
        assertThat(result.score()).isZero();
        assertThat(result.reason()).isEqualTo("the scorer gave " + value + ", which is not from 0 to 1");
    }

    @Test
    void aScorerThatThrowsOrSaysNothingCountsAsFailedAndSaysSo() {
        Ran ran = scoring(
                Completion.any(
                        Scorer.of("throws", answer -> Steps.failing(new IllegalStateException("no index"))),
                        Scorer.of("silent", answer -> null),
                        CITED),
                "Draft",
                "Draft [1]");
        assertThat(ran.request("solo", 2).getLast())
                .contains("- throws: failed (score 0.0, needed 1.0): the scorer failed (error err_1)")
                .doesNotContain("no index")
                .contains("- silent: failed (score 0.0, needed 1.0): the scorer failed: ")
                .contains("it returned null");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete());
    }

    @Test
    void aCompletionThatCannotWorkIsRefusedWhenItIsMade() {
        assertThatThrownBy(Completion::all).isInstanceOf(ConfigurationException.class);
        Steps.assertMisconfigured(() -> Completion.all(CITED, CITED), "has-[1]");
        Steps.assertMisconfigured(() -> Completion.all(CITED).timeout(Duration.ZERO));
        assertThatThrownBy(() -> CITED.withThreshold(Double.NaN)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> Scorer.of(" ", answer -> Score.pass())).isInstanceOf(ConfigurationException.class);
    }
}
