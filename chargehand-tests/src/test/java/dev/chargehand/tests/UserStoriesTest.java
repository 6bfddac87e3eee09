package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The user stories of the PRD, section 2, each in one test that is named by its number. */
class UserStoriesTest {

    private static final Pattern CITATION = Pattern.compile("\\[\\d+]");

    private static Scorer citations(int atLeast) {
        return Scorer.of("citations", answer -> {
            long found = CITATION.matcher(answer.text()).results().count();
            return found >= atLeast
                    ? Score.pass()
                    : Score.of((double) found / atLeast, "Need " + (atLeast - found) + " more citations.");
        });
    }

    /** US-1, research paper: the supervisor goes on until the paper has at least five citations. */
    @Test
    void us1ThePaperIsDoneWhenItHasFiveCitations() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.maxSteps(20).completion(Completion.all(citations(5))),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find sources"),
                        Turn.says("AI helps [1] and hurts [2]."),
                        Turn.delegates("researcher", "Find three more"),
                        Turn.says("AI helps [1][3] and hurts [2][4][5].")),
                Turns.saying("researcher", "[1] [2]", "[3] [4] [5]"));
        assertThat(ran.request("supervisor", 3).getLast())
                .contains("citations: failed (score 0.4, needed 1.0): Need 3 more citations.");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("AI helps [1][3] and hurts [2][4][5].");
    }

    /** US-2, code review: the task is complete only when every lint error is fixed. */
    @Test
    void us2TheReviewIsDoneWhenTheLinterFindsNothing() {
        List<String> code = new ArrayList<>();
        Tool fix = Steps.tool("fix", (in, context) -> {
            code.remove(in.at("/line").orElseThrow().string().orElseThrow());
            return "fixed";
        });
        Scorer lint = Scorer.of("lint", answer -> code.isEmpty() ? Score.pass() : Score.fail("Left: " + code));
        Ran ran = Both.run(Crew.solo(fix), o -> o.completion(Completion.all(lint)), () -> {
            code.clear();
            code.addAll(List.of("unused import", "missing brace"));
            return Scripts.on(
                    "solo",
                    Turn.calls("fix", Map.of("line", "unused import")),
                    Turn.says("All is fixed."),
                    Turn.calls("fix", Map.of("line", "missing brace")),
                    Turn.says("Now all is fixed."));
        });
        assertThat(ran.request("solo", 3).getLast())
                .contains("lint: failed (score 0.0, needed 1.0): Left: [missing brace]");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("Now all is fixed.");
    }

    /** US-3, coordination: sub-agents have access to the conversation, as far as they are given it. */
    @Test
    void us3SubAgentsSeeTheConversation() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.subAgentContext(SubAgentContext.lastMessages(15)),
                Turns.of(
                        "supervisor",
                        Turn.says("The budget comes first. ").and(Turn.delegates("researcher", "Find prices")),
                        Turn.delegates("writer", "Write it up"),
                        Turn.says("Done")),
                Turns.saying("researcher", "10 EUR"),
                Turns.saying("writer", "It costs 10 EUR."));
        assertThat(ran.request("writer", 1))
                .containsExactly(
                        "system: You are writer.",
                        "user: Do the task",
                        "assistant: The budget comes first. ",
                        "user: Write it up");
    }

    /** US-4, cost: with a bail the supervisor's synthesis is not paid for. */
    @Test
    void us4ABailSavesTheSynthesis() {
        Both both = Both.ways(
                        Turns.of(
                                "supervisor",
                                Turn.delegates("writer", "Write all of it"),
                                Turn.says("What the writer said, once more.").uses(2_000, 1_500)),
                        Turns.of("writer", Turn.says("# Report\n## Conclusion").uses(100, 1_500)))
                .agent(Crew.supervisor());
        Ran without = both.run();
        Ran with = both.options(o ->
                        o.onDelegationComplete(end -> end.text().contains("## Conclusion") ? end.bail() : end.accept()))
                .run();
        assertThat(without.result()).hasTotalUsage(Usage.of(2_110, 3_005));
        assertThat(with.result()).hasText("# Report\n## Conclusion").hasTotalUsage(Usage.of(110, 1_505));
    }

    /** US-5, debugging: each delegation can be seen as it begins and as it ends. */
    @Test
    void us5DelegationsCanBeSeen() {
        List<String> log = new CopyOnWriteArrayList<>();
        Both.run(
                Crew.supervisor(),
                o -> o.observeDelegationStart(start -> log.add("-> " + start.agentId() + ": " + start.prompt()))
                        .onDelegationComplete(end -> {
                            log.add("<- " + end.agentId() + " ("
                                    + end.duration().toMillis() + " ms): " + end.text());
                            return end.accept();
                        }),
                Scripts::oneDelegation);
        assertThat(Both.alike(log)).containsExactly("-> researcher: P", "<- researcher (0 ms): Fact");
    }

    /** US-6, several criteria: the task is complete only when length, quality and format are all met. */
    @Test
    void us6AllCriteriaMustBeMet() {
        Scorer length =
                Scorer.of("length", answer -> answer.text().length() >= 20 ? Score.pass() : Score.fail("Write more."));
        Scorer format = Scorer.of(
                "format", answer -> answer.text().startsWith("# ") ? Score.pass() : Score.fail("Begin with a title."));
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.completion(Completion.all(length, citations(1), format)),
                Turns.saying(
                        "solo", "Short", "A text that is long enough.", "# A title [1]\nAnd a text that is long."));
        assertThat(ran.request("solo", 3).getLast())
                .contains("length: passed")
                .contains("citations: failed")
                .contains("format: failed (score 0.0, needed 1.0): Begin with a title.");
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasSteps(3);
        assertThat(ran.result().completion().orElseThrow().scorers())
                .extracting(ScorerResult::scorer)
                .containsExactly("length", "citations", "format");
    }

    /** US-7, iteration control: what is missing is told in the developer's own words. */
    @Test
    void us7CustomFeedbackSaysWhatIsMissing() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(it -> it.text().contains("recommendations")
                        ? IterationDecision.stop()
                        : IterationDecision.proceedWith("Please include specific recommendations.")),
                Turns.saying("solo", "Draft", "Draft with recommendations"));
        assertThat(ran.request("solo", 2))
                .containsExactly(
                        "user: Do the task", "assistant: Draft", "system: Please include specific recommendations.");
        assertThat(ran.result()).stoppedBecause(new StopReason.StoppedByHook()).hasText("Draft with recommendations");
    }

    /** US-8, graceful degradation: the run ends after its most iterations even if validation never passes. */
    @Test
    void us8ValidationThatNeverPassesIsBounded() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.maxSteps(3).completion(Completion.all(citations(5))),
                Turns.saying("solo", "A", "B", "C"));
        assertThat(ran.result())
                .hasStatus(RunStatus.INCOMPLETE)
                .stoppedBecause(new StopReason.MaxStepsReached(3))
                .hasText("C");
        assertThat(ran.result().completion().orElseThrow().complete()).isFalse();
    }

    /** US-9, observability: delegation events reach whoever listens, with who, how long, how much and why. */
    @Test
    void us9DelegationEventsReachAListener() {
        List<String> pipeline = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail).addListener(event -> {
                    if (event.type().startsWith("delegation-")) {
                        pipeline.add(event.toJson().text());
                    }
                }),
                Scripts::oneDelegation);
        assertThat(Both.alike(pipeline)).hasSize(3);
        assertThat(pipeline.get(0)).contains("\"type\":\"delegation-start\"", "\"prompt\":\"P\"");
        assertThat(pipeline.get(1)).contains("\"type\":\"delegation-end\"", "\"durationMillis\":", "\"usage\":{");
        assertThat(pipeline.get(2)).contains("\"type\":\"delegation-bail\"", "\"text\":\"Fact\"");
        assertThatEvents(ran.events()).arePaired();
        assertThat(ran.all(RunEvent.DelegationBail.class)).hasSize(1);
    }
}
