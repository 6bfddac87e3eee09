package dev.chargehand.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.DelegatedCall;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Scope;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

    private static final RunId RUN = new RunId("run_1");

    private final ProgressLines lines = new ProgressLines(11);

    private static Origin at(long millis, String path) {
        return new Origin(RUN, AgentPath.parse(path), 1, Instant.EPOCH.plusMillis(millis));
    }

    private void shows(RunEvent event, String line) {
        assertThat(lines.of(event)).contains(line);
    }

    @Test
    void timesCountFromTheFirstEventAndPathsAreAligned() {
        assertThat(lines.of(new RunEvent.RunStart(at(5_000, "boss"), "boss", "boss", null, null, null, null)))
                .isEmpty();
        shows(
                new RunEvent.ToolCall(at(5_120, "boss/finder"), "c1", "search-files", "{\"query\":\"x\"}"),
                "    0.12s  boss/finder  calls search-files {\"query\":\"x\"}");
        shows(
                new RunEvent.ToolResult(at(65_000, "boss"), "c2", "add", Json.of(3), Duration.ofMillis(61_500)),
                "   60.00s  boss         add answered in 1 min 01 s: 3");
    }

    @Test
    void aDelegationIsToldOnceNotAsACallToo() {
        assertThat(lines.of(new RunEvent.ToolCall(at(0, "boss"), "c1", "agent-finder", "{\"prompt\":\"Go\"}")))
                .isEmpty();
        shows(
                new RunEvent.DelegationStart(
                        at(0, "boss"),
                        new DelegatedCall("c1", "finder", "finder", null, new RunId("run_2")),
                        "Go\nnow"),
                "    0.00s  boss         delegates to finder: Go\\nnow");
        shows(
                new RunEvent.DelegationEnd(
                        at(900, "boss"),
                        new DelegatedCall("c1", "finder", "finder", null, new RunId("run_2")),
                        new StopReason.MaxStepsReached(5),
                        "",
                        Usage.of(1_200, 34),
                        Duration.ofMillis(900)),
                "    0.90s  boss         finder incomplete in 0.90 s, 1,200 in + 34 out tokens: The run made all of its"
                        + " 5 steps without an answer that ends it; raise maxSteps to allow more.");
        assertThat(lines.of(new RunEvent.ToolError(
                        at(900, "boss"), "c1", "agent-finder", "No answer.", null, Duration.ofMillis(900))))
                .isEmpty();
    }

    @Test
    void whatWentWrongIsToldWithItsDetail() {
        shows(
                new RunEvent.StepRetry(at(0, "boss"), 1, "openai/gpt-5", "model-overloaded", Duration.ofMillis(640)),
                "    0.00s  boss         attempt 1 with openai/gpt-5 failed (model-overloaded); the next one in 0.64 s");
        shows(
                new RunEvent.ToolError(
                        at(0, "boss"), "c1", "add", "Tool 'add' failed.", "NullPointer", Duration.ofMillis(20)),
                "    0.00s  boss         add failed after 0.02 s: Tool 'add' failed. (NullPointer)");
    }

    @Test
    void aResultIsShownWithoutBracesAndQuotes() {
        shows(
                new RunEvent.ToolResult(
                        at(0, "boss"), "c1", "look-up", Json.of(Map.of("city", "Rome")), Duration.ofMillis(10)),
                "    0.00s  boss         look-up answered in 0.01 s: city Rome");
    }

    @Test
    void theTimeInWhichAHumanWasAwaitedIsNoWork() {
        lines.of(new RunEvent.RunStart(at(0, "boss"), "boss", "boss", null, null, null, null));
        lines.of(new RunEvent.RunSuspend(at(400, "boss"), List.of(), Usage.NONE, Duration.ofMillis(400)));
        lines.of(new RunEvent.RunResume(at(60_400, "boss"), "boss", "boss"));
        lines.of(new RunEvent.IterationStart(at(60_500, "boss"), 2));

        assertThat(lines.waited()).isEqualTo(Duration.ofMinutes(1));
        assertThat(lines.working()).isEqualTo(Duration.ofMillis(500));
    }

    private void showsNothing(RunEvent event) {
        assertThat(lines.of(event)).isEmpty();
    }

    @Test
    void aDelegationThatIsRejectedIsToldOnceWithItsReason() {
        shows(
                new RunEvent.DelegationRejected(at(0, "boss"), "c1", "premium", "premium", "Premium\nrequired"),
                "    0.00s  boss         may not delegate to premium: Premium\\nrequired");
        showsNothing(new RunEvent.ToolError(
                at(0, "boss"), "c1", "agent-premium", "Premium required", null, Duration.ofMillis(1)));
    }

    @Test
    void aCallThatIsDeniedIsToldOnceWithItsReason() {
        shows(
                new RunEvent.ToolOutputDenied(at(0, "boss"), "c1", "delete", "Not on a Sunday."),
                "    0.00s  boss         may not call delete: Not on a Sunday.");
        showsNothing(
                new RunEvent.ToolError(at(0, "boss"), "c1", "delete", "Not on a Sunday.", null, Duration.ofMillis(1)));
    }

    @Test
    void aBailSaysWhoseTextIsTheAnswer() {
        shows(
                new RunEvent.DelegationBail(at(0, "boss"), "c1", "writer", "writer", "The paper."),
                "    0.00s  boss         takes the text of writer as the answer");
    }

    private static ScorerResult scored(String scorer, double score, double threshold) {
        return new ScorerResult(scorer, score, threshold, score >= threshold, "Because.", Duration.ofMillis(3));
    }

    @Test
    void scoresAreToldWithWhatWasNeededOfThoseThatFailed() {
        showsNothing(new RunEvent.ScoringStart(at(0, "boss"), List.of("minLength")));
        shows(
                new RunEvent.ScoringComplete(
                        at(40, "boss"),
                        false,
                        List.of(scored("minLength", 0.999, 1), scored("polite", 0.8, 0.8), scored("a\u001b", 0, 0.5)),
                        Usage.of(3, 4),
                        Duration.ofMillis(40)),
                "    0.04s  boss         task not complete: minLength 0.99 (needed 1), polite 0.8, a\\u001b 0 (needed 0.5)"
                        + " in 0.04 s: Because. Because.");
        shows(
                new RunEvent.ScoringComplete(
                        at(40, "boss"), true, List.of(scored("minLength", 1, 1)), Usage.NONE, Duration.ofMillis(40)),
                "    0.04s  boss         task complete: minLength 1 in 0.04 s");
    }

    @Test
    void scoringThatEndsWithItsRunSaysSo() {
        shows(
                new RunEvent.ScoringComplete(at(40, "boss"), false, List.of(), Usage.NONE, Duration.ofMillis(40)),
                "    0.00s  boss         scoring was cut short after 0.04 s");
    }

    @Test
    void feedbackIsToldWhenThereIsSome() {
        shows(
                new RunEvent.IterationEnd(
                        at(0, "boss"), null, "proceed", List.of("Be brief.", "Cite."), Duration.ofMillis(5)),
                "    0.00s  boss         gets feedback: Be brief. Cite.");
        showsNothing(new RunEvent.IterationEnd(at(0, "boss"), null, null, List.of(), Duration.ofMillis(5)));
    }

    @Test
    void aNoteIsToldOnceItIsStored() {
        String edit = "{\"edits\":[{\"find\":\"- Name:\",\"write\":\"- Name: Ann\"}]}";
        showsNothing(new RunEvent.ToolCall(at(0, "boss"), "c1", "updateWorkingMemory", edit));
        shows(
                new RunEvent.ToolResult(
                        at(0, "boss"),
                        "c1",
                        "updateWorkingMemory",
                        Json.of("Stored as revision 2."),
                        Duration.ofMillis(3)),
                "    0.00s  boss         noted something in its working memory");
        shows(
                new RunEvent.WorkingMemoryUpdate(at(0, "boss"), "c3", 3, Scope.RESOURCE),
                "    0.00s  boss         noted something in its working memory, revision 3");
        showsNothing(new RunEvent.ToolResult(
                at(0, "boss"), "c3", "updateWorkingMemory", Json.of(Map.of("revision", 3)), Duration.ofMillis(3)));
        shows(
                new RunEvent.ToolError(
                        at(0, "boss"), "c2", "updateWorkingMemory", "Nothing was changed.", null, Duration.ofMillis(3)),
                "    0.00s  boss         updateWorkingMemory failed after 0.00 s: Nothing was changed.");
    }

    @Test
    void observedMessagesAreToldByTheirPositions() {
        showsNothing(new RunEvent.ObservationStart(at(0, "boss"), "t1", 0, 7));
        shows(
                new RunEvent.ObservationEnd(at(1_200, "boss"), "t1", 0, 7, Usage.of(900, 80), Duration.ofMillis(1_200)),
                "    1.20s  boss         observed messages 0 to 6 in 1.20 s");
        showsNothing(new RunEvent.ObservationStart(at(1_200, "boss"), "t1", 7, 9));
        showsNothing(new RunEvent.ObservationFailed(at(1_300, "boss"), "t1", 7, 9, "The model is overloaded."));
        shows(
                new RunEvent.MemoryProblem(at(1_300, "boss"), "observation-failed: The model is overloaded."),
                "    1.30s  boss         memory: observation-failed: The model is overloaded.");
    }

    @Test
    void aHookThatFailedIsNamed() {
        shows(
                new RunEvent.HookError(at(0, "boss"), "onFinish", "bad hook"),
                "    0.00s  boss         hook onFinish failed: bad hook");
    }
}
