package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.FinishReasons;
import dev.chargehand.server.internal.wire.mastra.workflow.WorkflowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of runs below another as chunks of their own, for streams that send them inside of others: those of networks and of workflows.
 * A chunk has the fields that the client declares for its type, and those of the event besides. Used by one thread.
 */
final class NestedChunks {

    private static final String OF_PRIMITIVE = "-event-";

    private final Map<String, RunEvent.ToolCall> calls = new HashMap<>();
    private final Map<RunId, WorkflowState> workflows = new HashMap<>();
    private final Map<RunId, RunEvent.RunStart> starts = new HashMap<>();

    /**
     * Return the chunks of an event; none if another says the same. The start of a run is one of its second event's, which shows whether it is a
     * workflow: that has a start of its own.
     */
    List<Map<String, Object>> of(RunEvent event) {
        if (event instanceof RunEvent.RunStart start) {
            starts.put(event.runId(), start);
            return List.of();
        }
        List<Map<String, Object>> chunks = new ArrayList<>();
        Optional.ofNullable(starts.remove(event.runId()))
                .filter(start -> !(event instanceof WorkflowEvent.WorkflowStart))
                .ifPresent(start -> chunks.add(ofAgent(start)));
        ofStarted(event).ifPresent(chunks::add);
        if (event instanceof WorkflowEvent.WorkflowStepResumed resumed) {
            endOfWait(resumed).ifPresent(chunks::add);
        }
        return chunks;
    }

    /** An entry that only waits has no result of its own: it ends when it continues. */
    private Optional<Map<String, Object>> endOfWait(WorkflowEvent.WorkflowStepResumed resumed) {
        return Optional.ofNullable(workflows.get(resumed.runId()))
                .map(workflow -> workflow.step(resumed.stepPath()))
                .filter(step -> "success".equals(step.get("status")))
                .map(step -> {
                    Map<String, Object> payload = new LinkedHashMap<>();
                    payload.put("id", resumed.stepPath());
                    payload.putAll(step);
                    return chunk("workflow-step-result", resumed, payload);
                });
    }

    private Optional<Map<String, Object>> ofStarted(RunEvent event) {
        if (event instanceof WorkflowEvent.WorkflowStart) {
            workflows.put(event.runId(), new WorkflowState(event.runId()));
        } else if (event instanceof RunEvent.ToolCall call) {
            calls.put(call.callId(), call);
        }
        WorkflowState workflow = workflows.get(event.runId());
        if (workflow == null) {
            return Optional.of(ofAgent(event));
        }
        workflow.note(event);
        return switch (event) {
            case WorkflowEvent.WorkflowFinish ignored -> Optional.empty(); // the end of its run has the usage too
            case RunEvent.RunFinish finish -> {
                Map<String, Object> payload = new LinkedHashMap<>(EventFields.of(event));
                payload.putAll(finish(workflow, Chunks.usage(finish.totalUsage())));
                yield Optional.of(chunk("workflow-finish", event, payload));
            }
            case WorkflowEvent step -> {
                Map<String, Object> payload = new LinkedHashMap<>(EventFields.of(event));
                payload.putAll(payload(step, workflow));
                yield Optional.of(chunk(name(event), event, payload));
            }
            default -> Optional.of(ofAgent(event));
        };
    }

    /** Return what the client declares for the end of a workflow. */
    static Map<String, Object> finish(WorkflowState state, Map<String, Object> usage) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("workflowStatus", state.status());
        state.output().ifPresent(value -> fields.put("finalWorkflowResult", value));
        fields.put("output", Map.of("usage", usage));
        fields.put("metadata", Map.of());
        return fields;
    }

    /** Return what the client declares for an event of a workflow; empty for those that it does not know. */
    static Map<String, Object> payload(WorkflowEvent event, WorkflowState state) {
        return switch (event) {
            case WorkflowEvent.WorkflowStart start -> Map.of("workflowId", start.workflowId());
            case WorkflowEvent.WorkflowStepStart start -> step(start.stepPath(), start.callId(), state);
            case WorkflowEvent.WorkflowStepResult result -> step(result.stepPath(), result.callId(), state);
            case WorkflowEvent.WorkflowStepSuspended suspended -> step(suspended.stepPath(), suspended.callId(), state);
            case WorkflowEvent.WorkflowStepWaiting waiting -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("id", waiting.stepPath());
                fields.put("payload", Map.of());
                fields.putAll(state.step(waiting.stepPath()));
                yield fields;
            }
            default -> Map.of();
        };
    }

    /** Return what the client declares for a step that was called. */
    static Map<String, Object> step(String path, String callId, WorkflowState state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", path);
        fields.put("stepCallId", callId);
        fields.putAll(state.step(path));
        return fields;
    }

    private static Map<String, Object> chunk(String type, RunEvent event, Map<String, Object> payload) {
        Map<String, Object> chunk = Chunks.of(type, event.runId(), "payload", payload);
        chunk.put("from", "WORKFLOW");
        if (event instanceof WorkflowEvent && payload.get("id") instanceof String id) {
            chunk.put("id", id);
        }
        return chunk;
    }

    private Map<String, Object> ofAgent(RunEvent event) {
        String type = name(event);
        return switch (event) {
            case RunEvent.PartialObject part -> ofObject(type, part, part.object());
            case RunEvent.ObjectResult result -> ofObject(type, result, result.object());
            case RunEvent.Data ignored -> Chunks.of(type, event.runId(), "data", EventFields.of(event));
            default -> {
                Map<String, Object> payload = new LinkedHashMap<>(EventFields.of(event));
                payload.putAll(declared(event));
                yield Chunks.of(type, event.runId(), "payload", payload);
            }
        };
    }

    private static Map<String, Object> ofObject(String type, RunEvent event, @Nullable Json object) {
        return Chunks.of(type, event.runId(), "object", object == null ? Json.of(null) : object);
    }

    /** Return the name of the chunk of an event, as the client declares it, in a network and elsewhere. */
    private static String name(RunEvent event) {
        String type = event.type();
        int end = type.indexOf(OF_PRIMITIVE);
        String own = end < 0 ? type : type.substring(end + OF_PRIMITIVE.length());
        return switch (event) {
            case RunEvent.ToolCallInputStart ignored -> "tool-call-input-streaming-start";
            case RunEvent.ToolCallInputEnd ignored -> "tool-call-input-streaming-end";
            case RunEvent.ScoringComplete ignored -> "is-task-complete";
            case WorkflowEvent ignored -> own.startsWith("workflow-") ? own : "workflow-" + own;
            default -> own.replaceFirst("^run-", "");
        };
    }

    private Map<String, Object> declared(RunEvent event) {
        String message = "msg_" + event.runId().value();
        return switch (event) {
            case RunEvent.RunStart start -> Map.of("id", start.agentId(), "messageId", message);
            case RunEvent.StepStart ignored -> Map.of("messageId", message, "request", Map.of());
            case RunEvent.StepFinish finish -> Chunks.stepFinish(finish);
            case RunEvent.TextStart start -> Map.of("id", start.textId());
            case RunEvent.TextDelta delta -> Map.of("id", delta.textId());
            case RunEvent.TextEnd end -> Map.of("id", end.textId());
            case RunEvent.ReasoningStart start -> Map.of("id", start.textId());
            case RunEvent.ReasoningDelta delta -> Map.of("id", delta.textId());
            case RunEvent.ReasoningEnd end -> Map.of("id", end.textId());
            case RunEvent.ToolCallInputStart start -> Chunks.ofCall(start.callId(), start.toolName());
            case RunEvent.ToolCallInputEnd end -> Map.of("toolCallId", end.callId());
            case RunEvent.ToolCallDelta delta ->
                Map.of("toolCallId", delta.callId(), "argsTextDelta", delta.fragment());
            case RunEvent.ToolCall call -> Chunks.payload(call);
            case RunEvent.ToolCallApproval asked ->
                Chunks.waiting(asked.approval(), asked.approval().callId());
            case RunEvent.ToolCallSuspended asked ->
                Chunks.waiting(asked.approval(), asked.approval().callId());
            case RunEvent.ToolResult result -> Chunks.payload(result, calls.get(result.callId()));
            case RunEvent.ToolError error -> Chunks.error(error, calls.get(error.callId()));
            case RunEvent.ToolOutputDenied denial -> Chunks.denied(denial, calls.get(denial.callId()));
            case RunEvent.Tripwire blocked -> Chunks.tripwire(blocked);
            case RunEvent.ScoringComplete end -> Chunks.scored(end, 0);
            case RunEvent.Error error ->
                Map.of(
                        "error",
                        Map.of(
                                "message",
                                "The run has failed with the code '" + error.code() + "'.",
                                "code",
                                error.code()));
            case RunEvent.RunFinish finish ->
                Chunks.finish(
                        finish.runId(),
                        FinishReasons.of(finish.stopReason()),
                        finish.totalUsage(),
                        finish.stopReason().code(),
                        AnswerLog.NO_MESSAGES);
            default -> Map.of();
        };
    }
}
