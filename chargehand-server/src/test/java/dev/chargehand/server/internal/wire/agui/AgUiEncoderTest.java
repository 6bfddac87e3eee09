package dev.chargehand.server.internal.wire.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events of AG-UI for recorded events, whole and cut after each of them. */
class AgUiEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.all();
    }

    private static List<Json> events(Recorded run, List<RunEvent> recorded) {
        AgUiEncoder encoder = new AgUiEncoder(run.root(), "t", "r", List.of());
        List<Frame> frames = new ArrayList<>();
        recorded.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        return frames.stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json event, String field) {
        return event.at("/" + field).flatMap(Json::string).orElse("");
    }

    private static String key(Json event) {
        return text(event, "messageId") + text(event, "stepName") + "/" + text(event, "subagentRunId");
    }

    /** The rules of the client: one start, one end, and nothing open at a regular end. */
    private static void requireValid(List<Json> events) {
        Set<String> open = new HashSet<>();
        for (Json event : events) {
            String type = text(event, "type");
            requireIntroduced(event, open);
            String kind = type.replaceAll("_(START(ED)?|CONTENT|END|FINISHED|ERROR)$", "");
            if (type.equals("RUN_FINISHED")) {
                assertThat(open).isEmpty();
            } else if (type.endsWith("_START") || type.endsWith("_STARTED")) {
                assertThat(type.startsWith("RUN_") || type.startsWith("TOOL_") || open.add(kind + key(event)))
                        .isTrue();
            } else if (type.endsWith("_CONTENT")) {
                assertThat(open).contains(kind + key(event));
            } else if (type.matches("(TEXT|REASONING|STEP|SUBAGENT).*_(END|FINISHED|ERROR)")) {
                assertThat(open.remove(kind + key(event))).as(event.text()).isTrue();
            }
        }
        assertThat(text(events.getFirst(), "type")).isEqualTo("RUN_STARTED");
        assertThat(events.stream().map(event -> text(event, "type")))
                .filteredOn(type -> type.equals("RUN_FINISHED") || type.equals("RUN_ERROR"))
                .hasSize(1);
        assertThat(text(events.getLast(), "type")).isIn("RUN_FINISHED", "RUN_ERROR");
    }

    /** An event that names a sub-agent comes between its start and its end. */
    private static void requireIntroduced(Json event, Set<String> open) {
        String own = text(event, "type").equals("SUBAGENT_STARTED") ? "" : text(event, "subagentRunId");
        for (String named : List.of(own, text(event, "parentSubagentRunId"))) {
            assertThat(named.isEmpty() || open.contains("SUBAGENT/" + named))
                    .as(event.text())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theEventsAreValidWhereverTheyAreCut(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            requireValid(events(run, run.live().subList(0, i)));
        }
        requireValid(events(run, run.stored()));
    }

    @Test
    void theRunsOfAWorkflowAndOfItsStepsAreSubAgents() {
        Recorded run = RecordedRuns.ofWorkflow();
        List<Json> events = events(run, run.stored());
        List<Json> starts = events.stream()
                .filter(event -> text(event, "type").equals("SUBAGENT_STARTED"))
                .toList();
        assertThat(starts).extracting(event -> text(event, "name")).containsExactly("buying", "payer");
        String outer = text(starts.getFirst(), "subagentRunId");
        assertThat(starts)
                .extracting(event -> text(event, "parentSubagentRunId"))
                .containsExactly("", outer);
        assertThat(events).anySatisfy(event -> {
            assertThat(text(event, "type")).isEqualTo("SUBAGENT_FINISHED");
            assertThat(text(event, "subagentRunId")).isEqualTo(outer);
        });
    }

    /** No event says which call has started a workflow, and its end is that of its run. */
    @Test
    void theTextOfAWorkflowEndsWithItsRun() {
        Origin root = new Origin(new RunId("r-1"), AgentPath.root("lead"), 1, Instant.EPOCH);
        Origin workflow = new Origin(new RunId("r-2"), AgentPath.parse("lead/pricing"), 1, Instant.EPOCH);
        Recorded run = new Recorded("workflow", root.runId(), List.of(), List.of(), 0);
        List<Json> events = events(run, List.of(start(root), nested(workflow), finish(workflow), finish(root)));
        requireValid(events);
        assertThat(events.stream().map(event -> text(event, "type"))).contains("TEXT_MESSAGE_END");
    }

    /** The calls of the next attempt have the same ids. */
    @Test
    void argumentsThatArriveAgainAreContinuedWhereTheyWereCut() {
        Origin at = new Origin(new RunId("r-1"), AgentPath.root("lead"), 1, Instant.EPOCH);
        Recorded run = new Recorded("retry", at.runId(), List.of(), List.of(), 0);
        RunEvent input = new RunEvent.ToolCallInputStart(at, "c", 0, "pay");
        List<Json> events = events(
                run,
                List.of(
                        start(at),
                        input,
                        new RunEvent.ToolCallDelta(at, "c", 0, "{\"a\""),
                        new RunEvent.StepRetry(at, 1, "m", "connection", Duration.ZERO),
                        input,
                        new RunEvent.ToolCallDelta(at, "c", 0, "{\"a\":1}"),
                        new RunEvent.ToolCall(at, "c", "pay", "{\"a\":1}"),
                        finish(at)));
        assertThat(events.stream()
                        .filter(event -> text(event, "type").startsWith("TOOL_CALL"))
                        .map(event -> text(event, "type") + text(event, "delta")))
                .containsExactly("TOOL_CALL_START", "TOOL_CALL_ARGS{\"a\"", "TOOL_CALL_ARGS:1}", "TOOL_CALL_END");
    }

    private static RunEvent start(Origin origin) {
        return new RunEvent.RunStart(origin, "lead", "lead", null, null, null, null);
    }

    private static RunEvent nested(Origin origin) {
        return new RunEvent.RunStart(origin, "pricing", "pricing", new RunId("r-1"), null, null, null);
    }

    private static RunEvent finish(Origin origin) {
        StopReason reason = new StopReason.Finished();
        return new RunEvent.RunFinish(origin, reason.status(), reason, "500", Usage.NONE, Duration.ZERO, List.of());
    }
}
