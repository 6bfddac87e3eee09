package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a listener heard that stored facts tell too, so that it can be held against what they tell. */
final class Retold {

    private Retold() {}

    /** Returns lines of what was heard, without what history leaves out and without times of provisional events. */
    static List<String> lines(List<RunEvent> heard) {
        Set<String> answered = new HashSet<>();
        heard.stream()
                .filter(event -> event instanceof RunEvent.UsageReport report
                        && !report.model().isEmpty())
                .forEach(event -> answered.add(step(event)));
        List<String> lines = new ArrayList<>();
        for (RunEvent event : heard) {
            if (isKept(event, answered)) {
                String line = line(event);
                if (isBeginningOfStep(event)) {
                    lines.remove(line); // after a crash a step is begun again, and its answer says when
                }
                lines.add(line);
            }
        }
        return lines;
    }

    /** Returns an event as text, without its time if it is provisional: only facts keep theirs. */
    static String line(RunEvent event) {
        String line = event.toJson().text();
        return event.origin().id().isPresent() ? line : line.replaceFirst("\"time\":\"[^\"]*\"", "\"time\":\"\"");
    }

    /** Holds what facts tell of one run against what was heard of it, in its order. */
    static void assertTold(TestRuntime test, RunId root) {
        List<RunEvent> history = test.runtime().history(root);
        assertThat(lines(history)).isEqualTo(lines(test.events()));
        assertThatEvents(history).haveGrowingIds();
        assertThatEvents(test.events()).haveGrowingIds();
    }

    /** Holds each run by itself against what was heard of it: runs side by side are heard in any order. */
    static void assertEachRunAlike(List<RunEvent> heard, List<RunEvent> history) {
        assertThat(byRun(history)).as("what the facts tell").isEqualTo(byRun(heard));
    }

    private static Map<RunId, List<String>> byRun(List<RunEvent> events) {
        Map<RunId, List<RunEvent>> runs = new LinkedHashMap<>();
        events.forEach(event ->
                runs.computeIfAbsent(event.runId(), id -> new ArrayList<>()).add(event));
        Map<RunId, List<String>> lines = new LinkedHashMap<>();
        runs.forEach((run, told) -> lines.put(run, lines(told)));
        return lines;
    }

    private static boolean isBeginningOfStep(RunEvent event) {
        return event instanceof RunEvent.StepStart
                || event instanceof RunEvent.IterationStart
                || event instanceof RunEvent.RoutingAgentStart;
    }

    private static boolean isKept(RunEvent event, Set<String> answered) {
        return switch (event) {
            case RunEvent.StepStart ignored -> answered.contains(step(event));
            case RunEvent.IterationStart ignored -> answered.contains(step(event));
            case RunEvent.StepFinish ignored -> answered.contains(step(event));
            case RunEvent.IterationEnd ignored -> answered.contains(step(event));
            case RunEvent.RoutingAgentStart ignored -> answered.contains(step(event));
            case RunEvent.RoutingAgentEnd ignored -> answered.contains(step(event));
            case RunEvent.NetworkStepFinish ignored -> answered.contains(step(event));
            case RunEvent.ScoringComplete e -> isWhole(e.results());
            case RunEvent.TextStart ignored -> false;
            case RunEvent.TextDelta ignored -> false;
            case RunEvent.TextEnd ignored -> false;
            case RunEvent.ReasoningStart ignored -> false;
            case RunEvent.ReasoningDelta ignored -> false;
            case RunEvent.ReasoningEnd ignored -> false;
            case RunEvent.ToolCallInputStart ignored -> false;
            case RunEvent.ToolCallDelta ignored -> false;
            case RunEvent.ToolCallInputEnd ignored -> false;
            case RunEvent.StepRetry ignored -> false;
            case RunEvent.ScoringStart ignored -> false;
            case RunEvent.PartialObject ignored -> false;
            case RunEvent.HookError ignored -> false;
            case RunEvent.Data ignored -> false;
            default -> true;
        };
    }

    private static boolean isWhole(List<ScorerResult> results) {
        return !results.isEmpty();
    }

    private static String step(RunEvent event) {
        return event.runId() + " " + event.step();
    }
}
