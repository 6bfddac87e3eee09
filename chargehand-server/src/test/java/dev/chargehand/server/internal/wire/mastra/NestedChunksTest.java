package dev.chargehand.server.internal.wire.mastra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.mastra.workflow.StepPlaces;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of runs below another have what the client declares for their types, in networks and in workflows. */
class NestedChunksTest {

    private static final RunId ROOT = new RunId("r-1");

    private final NestedChunks chunks = new NestedChunks();

    private static Origin nested(boolean network) {
        return new Origin(
                Optional.empty(),
                new RunId("r-2"),
                AgentPath.parse("desk/clerk"),
                1,
                Instant.EPOCH,
                network,
                Store.LOCAL);
    }

    private Json chunk(RunEvent event) {
        return Json.of(chunks.of(event).getFirst());
    }

    private static String text(Json chunk, String pointer) {
        return chunk.at(pointer).flatMap(Json::string).orElse("");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObjectIsNotInThePayload(boolean network) {
        Json object = Json.of(Map.of("a", 1));
        Json part = chunk(new RunEvent.PartialObject(nested(network), object));
        assertThat(text(part, "/type") + part.at("/object/a")).isEqualTo("object" + Optional.of(Json.of(1)));
        Json result = chunk(new RunEvent.ObjectResult(nested(network), object, false, null, Usage.NONE));
        assertThat(text(result, "/type") + result.at("/object/a")).isEqualTo("object-result" + Optional.of(Json.of(1)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorHasNoMessageOfAModel(boolean network) {
        Json error =
                chunk(new RunEvent.Error(nested(network), "model-authentication", "The key k is wrong.", false, "k"));
        assertThat(text(error, "/type")).isEqualTo("error");
        assertThat(text(error, "/payload/error/code")).isEqualTo("model-authentication");
        assertThat(error.text()).doesNotContain("The key k");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBlockAndDataHaveTheirFields(boolean network) {
        Json blocked = chunk(new RunEvent.Tripwire(nested(network), "guard", "input", "No.", false, null));
        assertThat(text(blocked, "/type") + text(blocked, "/payload/processorId"))
                .isEqualTo("tripwireguard");
        Json data = chunk(new RunEvent.Data(nested(network), "seen", Json.of(1)));
        assertThat(text(data, "/type")).isEqualTo("data-seen");
        assertThat(data.at("/data")).isPresent();
        assertThat(data.at("/payload")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aResultHasTheArgumentsOfItsCall(boolean network) {
        Json call = chunk(new RunEvent.ToolCall(nested(network), "c", "pay", "{\"amount\":7}"));
        Json result = chunk(new RunEvent.ToolResult(nested(network), "c", "pay", Json.of("paid"), Duration.ZERO));
        assertThat(result.at("/payload/args"))
                .isEqualTo(call.at("/payload/args"))
                .isPresent();
    }

    @Test
    void whatAModelWroteInsteadOfArgumentsIsNoneOfAnError() {
        var unused = chunk(new RunEvent.ToolCall(nested(false), "c", "pay", "[1"));
        Json error = chunk(new RunEvent.ToolError(nested(false), "c", "pay", "It is no JSON.", null, Duration.ZERO));
        assertThat(error.at("/payload/args")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stepsOfAWorkflowHaveTheirState(boolean network) {
        Origin origin = nested(network);
        StopReason reason = new StopReason.Finished();
        assertThat(text(chunk(new WorkflowEvent.WorkflowStart(origin, "pricing", "1", Json.of(7))), "/type"))
                .isEqualTo("workflow-start");
        Json start = chunk(new WorkflowEvent.WorkflowStepStart(origin, "price", "c", "price", Json.of(7), 1, null));
        assertThat(List.of("/type", "/from", "/id", "/payload/id", "/payload/stepCallId", "/payload/status"))
                .map(pointer -> text(start, pointer))
                .containsExactly("workflow-step-start", "WORKFLOW", "price", "price", "c", "running");
        Json result = chunk(
                new WorkflowEvent.WorkflowStepResult(origin, "price", "c", "price", Json.of(700), null, Duration.ZERO));
        assertThat(text(result, "/payload/status")).isEqualTo("success");
        assertThat(chunks.of(
                        new WorkflowEvent.WorkflowFinish(origin, reason.status(), reason, Json.of(700), Json.of(null))))
                .isEmpty();
        Json end = chunk(new RunEvent.RunFinish(
                origin, reason.status(), reason, "700", new Usage(1, 2, 0, 0), Duration.ZERO, List.of()));
        assertThat(text(end, "/type") + text(end, "/payload/workflowStatus")).isEqualTo("workflow-finishsuccess");
        assertThat(end.at("/payload/output/usage/totalTokens")).contains(Json.of(3));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEntryThatOnlyWaitsEnds(boolean network) {
        Origin origin = nested(network);
        var unused = chunks.of(new WorkflowEvent.WorkflowStart(origin, "pricing", "1", Json.of(7)));
        Json waits = chunk(new WorkflowEvent.WorkflowStepWaiting(origin, "rest", "", Instant.EPOCH));
        assertThat(text(waits, "/type")).isEqualTo("workflow-step-waiting");
        List<Json> rest = chunks.of(new WorkflowEvent.WorkflowStepResumed(origin, "rest", "", "rest")).stream()
                .map(Json::of)
                .toList();
        assertThat(rest)
                .map(chunk -> text(chunk, "/type"))
                .containsExactly("workflow-step-resumed", "workflow-step-result");
        Json end = rest.getLast();
        assertThat(text(end, "/id") + text(end, "/payload/id") + text(end, "/payload/status"))
                .isEqualTo("restrestsuccess");
        unused = chunks.of(new WorkflowEvent.WorkflowStepStart(origin, "price", "c", "price", Json.of(7), 1, null));
        assertThat(chunks.of(new WorkflowEvent.WorkflowStepResumed(origin, "price", "c", "price")))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunHasOneStart(boolean network) {
        Origin origin = nested(network);
        RunEvent start = new RunEvent.RunStart(origin, "clerk", "clerk", ROOT, null, null, null);
        RunEvent ofWorkflow = new WorkflowEvent.WorkflowStart(origin, "pricing", "1", Json.of(7));
        for (RunEvent second : List.of(new RunEvent.StepStart(origin), ofWorkflow)) {
            assertThat(chunks.of(start)).isEmpty();
            assertThat(chunks.of(second))
                    .extracting(chunk -> chunk.get("type"))
                    .isEqualTo(second.equals(ofWorkflow) ? List.of("workflow-start") : List.of("start", "step-start"));
        }
    }

    /** The client declares a chunk as the output of a step. */
    @Test
    void theOutputOfAStepIsAChunk() {
        Origin root = new Origin(ROOT, AgentPath.root("flow"), 1, Instant.EPOCH);
        WorkflowEncoder encoder = WorkflowEncoder.fromStart(ROOT, StepPlaces.UNKNOWN);
        List<RunEvent> events = List.of(
                new WorkflowEvent.WorkflowStart(root, "flow", "1", Json.of(7)),
                new WorkflowEvent.WorkflowStepStart(
                        root, "ask", "c", "ask", Json.of(7), 1, nested(false).runId()),
                new RunEvent.TextDelta(nested(false), "t", "One"));
        List<Json> sent = events.stream()
                .flatMap(event -> encoder.encode(event).stream())
                .map(Frame::text)
                .map(text -> Json.parse(text.replace("\u001e", "")))
                .toList();
        assertThat(sent)
                .map(chunk -> text(chunk, "/type"))
                .containsExactly("workflow-start", "workflow-step-start", "workflow-step-output");
        assertThat(List.of("type", "from", "runId", "payload/id", "payload/text"))
                .map(name -> text(sent.getLast(), "/payload/output/" + name))
                .containsExactly("text-delta", "AGENT", "r-2", "t", "One");
    }
}
