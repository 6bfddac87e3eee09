package dev.chargehand.server.internal.wire.mastra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.Origin;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of Mastra's networks for recorded events, whole and cut after each of them. */
class NetworkEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.networks();
    }

    private static List<Json> chunks(NetworkEncoder encoder, List<RunEvent> events) {
        List<Frame> frames = new ArrayList<>();
        events.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        assertThat(frames).last().isEqualTo(Frame.DONE);
        assertThat(frames).filteredOn(Frame.DONE::equals).hasSize(1);
        return frames.subList(0, frames.size() - 1).stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json chunk, String pointer) {
        return chunk.at(pointer).flatMap(Json::string).orElse("");
    }

    private static List<String> types(List<Json> chunks) {
        return chunks.stream().map(chunk -> text(chunk, "/type")).toList();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aStreamEndsWithTheMarkWhereverItIsCutAndNamesItsRun(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            assertThat(chunks(
                            new NetworkEncoder(run.root(), List.of(), "Plan."),
                            run.live().subList(0, i)))
                    .allSatisfy(chunk -> assertThat(text(chunk, "/runId"))
                            .isEqualTo(run.root().value()));
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void itEndsWithTheCallThatWaitsOrWithTheEndOfTheNetwork(Recorded run) {
        List<String> types = types(chunks(new NetworkEncoder(run.root(), List.of(), "Plan."), run.live()));
        assertThat(types.getLast())
                .isEqualTo(
                        switch (run.name()) {
                            case "desk" -> "agent-execution-approval";
                            case "cashier" -> "tool-execution-approval";
                            default -> "network-execution-event-finish";
                        });
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aReaderThatHasSomeChunksGetsTheOthers(Recorded run) {
        List<Json> all = chunks(NetworkEncoder.observing(run.root(), "Plan.", run.suspensions(), 0), run.stored());
        assertThat(types(all)).endsWith("network-execution-event-step-finish", "network-execution-event-finish");
        for (int i = 0; i < all.size(); i++) {
            assertThat(chunks(NetworkEncoder.observing(run.root(), "Plan.", run.suspensions(), i), run.stored()))
                    .isEqualTo(all.subList(i, all.size()));
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theAnswerOfTheRouterIsSentOnceAlsoIfItsOwnEventsAreMissed(Recorded run) {
        List<RunEvent> missed = run.live().stream()
                .filter(event -> event.origin().id().isPresent())
                .toList();
        for (List<RunEvent> events : List.of(run.live(), run.stored(), missed)) {
            List<Json> chunks = chunks(NetworkEncoder.observing(run.root(), "Plan.", run.suspensions(), 0), events);
            assertThat(chunks.stream()
                            .filter(chunk -> text(chunk, "/type").equals("routing-agent-text-delta"))
                            .map(chunk -> text(chunk, "/payload/text")))
                    .isEqualTo(run.name().equals("host") ? List.of("Welcome.") : List.of());
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void anEventOfAnAgentIsAChunkInAChunk(Recorded run) {
        List<Json> nested =
                chunks(NetworkEncoder.observing(run.root(), "Plan.", run.suspensions(), 0), run.live()).stream()
                        .filter(chunk -> chunk.at("/payload/payload").isPresent())
                        .toList();
        assertThat(nested.isEmpty()).isEqualTo(!run.name().equals("desk"));
        assertThat(nested).allSatisfy(chunk -> assertThat(text(chunk, "/type"))
                .isEqualTo("agent-execution-event-" + text(chunk, "/payload/type")));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theStartOfAValidationIsSentOnceAlsoIfItIsMissed(Recorded run) {
        Origin origin = run.live().getFirst().origin();
        RunEvent start = new RunEvent.ScoringStart(origin, List.of());
        RunEvent complete = new RunEvent.ScoringComplete(origin, true, List.of(), Usage.NONE, Duration.ZERO);
        for (List<RunEvent> events : List.of(List.of(start, complete), List.of(complete))) {
            assertThat(types(chunks(new NetworkEncoder(run.root(), List.of(), "Plan."), events)))
                    .startsWith("network-validation-start", "network-validation-end")
                    .doesNotHaveDuplicates();
        }
    }

    private static Origin origin(String run, String path) {
        return new Origin(Optional.empty(), new RunId(run), AgentPath.parse(path), 1, Instant.EPOCH, true, Store.LOCAL);
    }

    /** The client declares the text of a workflow's result, its name, and what it has used. */
    @Test
    void aChosenWorkflowHasItsNameItsTextAndItsUsage() {
        Origin root = origin("r-1", "desk");
        Origin below = origin("r-2", "desk/pricing");
        Usage usage = new Usage(3, 4, 0, 0);
        StopReason reason = new StopReason.Finished();
        List<Json> chunks = chunks(
                new NetworkEncoder(root.runId(), List.of(), "Plan."),
                List.of(
                        new RunEvent.RoutingAgentEnd(
                                root, "pricing", PrimitiveType.WORKFLOW, "{}", "It fits.", Duration.ZERO),
                        new RunEvent.ToolCall(root, "c", "workflow-pricing", "{}"),
                        new WorkflowEvent.WorkflowStart(below, "pricing", "1", Json.of(7)),
                        new WorkflowEvent.WorkflowFinish(below, reason.status(), reason, Json.of(700), Json.of(null)),
                        new RunEvent.RunFinish(below, reason.status(), reason, "700", usage, Duration.ZERO, List.of()),
                        new RunEvent.ToolResult(root, "c", "workflow-pricing", Json.of(700), Duration.ZERO)));
        assertThat(types(chunks))
                .startsWith(
                        "routing-agent-end",
                        "workflow-execution-start",
                        "workflow-execution-event-start",
                        "workflow-execution-event-finish",
                        "workflow-execution-end");
        assertThat(text(chunks.get(1), "/payload/name") + " " + text(chunks.get(1), "/payload/args/primitiveType"))
                .isEqualTo("pricing workflow");
        Json end = chunks.get(4);
        assertThat(text(end, "/payload/workflowId") + " " + text(end, "/payload/result"))
                .isEqualTo("pricing 700");
        assertThat(end.at("/payload/usage/totalTokens")).contains(Json.of(7));
    }

    @Test
    void aCallOfAChosenAgentNamesTheAgent() {
        Origin below = origin("r-2", "desk/clerk");
        PendingApproval pay = PendingApproval.builder(
                        PendingApproval.Kind.APPROVAL, below.runId(), "c", "pay", Json.of(Map.of()))
                .rootRunId(new RunId("r-1"))
                .path(below.path())
                .waitNumber(1)
                .build();
        List<Json> chunks = chunks(
                new NetworkEncoder(new RunId("r-1"), List.of(), "Plan."),
                List.of(new RunEvent.ToolCallApproval(below, pay)));
        assertThat(text(chunks.getFirst(), "/payload/agentId")).isEqualTo("clerk");
    }
}
