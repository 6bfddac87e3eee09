package dev.chargehand.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {

    private static final RunId RUN = new RunId("run_1");

    private final ProgressLines lines = new ProgressLines(11);

    private static Origin at(long millis, String path) {
        return new Origin(millis, RUN, AgentPath.parse(path), 1, Instant.EPOCH.plusMillis(millis));
    }

    private void shows(RunEvent event, String line) {
        assertThat(lines.of(event)).contains(line);
    }

    @Test
    void timesCountFromTheFirstEventAndPathsAreAligned() {
        assertThat(lines.of(new RunEvent.RunStart(at(5_000, "boss"), "boss", null, null)))
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
                new RunEvent.DelegationStart(at(0, "boss"), "c1", "finder", "Go\nnow", new RunId("run_2")),
                "    0.00s  boss         delegates to finder: Go\\nnow");
        shows(
                new RunEvent.DelegationEnd(
                        at(900, "boss"),
                        "c1",
                        "finder",
                        new RunId("run_2"),
                        RunStatus.INCOMPLETE,
                        new StopReason.MaxStepsReached(5),
                        "",
                        Usage.of(1_200, 34),
                        Duration.ofMillis(900)),
                "    0.90s  boss         finder incomplete in 0.90 s, 1,200 in + 34 out tokens: The run made all of its"
                        + " 5 steps without a final answer; raise maxSteps to let it go on.");
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
}
