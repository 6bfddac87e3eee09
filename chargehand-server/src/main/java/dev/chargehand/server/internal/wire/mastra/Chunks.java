package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.ExternalCalls;
import dev.chargehand.server.internal.wire.RootCalls;
import dev.chargehand.server.internal.wire.WireAnswers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The chunks of Mastra's client and their parts. */
final class Chunks {

    private Chunks() {}

    static Map<String, Object> of(String type, RunId run, String name, Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.put("runId", run.value());
        fields.put("from", "AGENT");
        fields.put(name, value);
        return fields;
    }

    static Map<String, Object> ofCall(String callId, String toolName) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("toolCallId", callId);
        payload.put("toolName", toolName);
        return payload;
    }

    /** Return the id of the call that an event follows; empty for other events. */
    static String callOf(RunEvent event) {
        return switch (event) {
            case RunEvent.ToolResult result -> result.callId();
            case RunEvent.ToolError error -> error.callId();
            case RunEvent.ToolOutputDenied denial -> denial.callId();
            case RunEvent.ToolCallApproval asked -> asked.approval().callId();
            case RunEvent.ToolCallSuspended asked -> asked.approval().callId();
            case RunEvent.ToolCallAnswered answer -> answer.callId();
            default -> "";
        };
    }

    static Map<String, Object> payload(RunEvent.ToolCall call) {
        Map<String, Object> payload = ofCall(call.callId(), call.toolName());
        payload.put("args", EventFields.arguments(call.arguments()));
        return payload;
    }

    static Map<String, Object> payload(RunEvent.ToolResult result, RunEvent.@Nullable ToolCall call) {
        Map<String, Object> payload = ofCall(result.callId(), result.toolName());
        if (call != null) {
            payload.put("args", EventFields.arguments(call.arguments()));
        }
        payload.put("result", result.output());
        payload.put("isError", false);
        return payload;
    }

    static Map<String, Object> tripwire(RunEvent.Tripwire blocked) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("reason", blocked.reason());
        payload.put("retry", blocked.retry());
        payload.put("processorId", blocked.processor());
        if (blocked.metadata() != null) {
            payload.put("metadata", blocked.metadata());
        }
        return payload;
    }

    static Map<String, Object> stepFinish(RunEvent.StepFinish finish) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("messageId", "msg_" + finish.runId().value());
        payload.put(
                "stepResult", Map.of("reason", reason(finish.finishReason()), "isContinued", finish.toolCalls() > 0));
        payload.put("output", Map.of("usage", usage(finish.usage())));
        payload.put("metadata", Map.of("finishReason", finish.finishReason()));
        return payload;
    }

    static Map<String, Object> denied(RunEvent.ToolOutputDenied denial, RunEvent.@Nullable ToolCall call) {
        Map<String, Object> payload = ofCall(denial.callId(), denial.toolName());
        putArguments(payload, call);
        payload.put("reason", denial.reason());
        payload.put("approval", Map.of("id", denial.callId(), "approved", false, "reason", denial.reason()));
        return payload;
    }

    static Map<String, Object> error(RunEvent.ToolError error, RunEvent.@Nullable ToolCall call) {
        Map<String, Object> payload = ofCall(error.callId(), error.toolName());
        putArguments(payload, call);
        payload.put("error", error.message());
        return payload;
    }

    /** The client declares an object here; what a model wrote may be none. */
    private static void putArguments(Map<String, Object> payload, RunEvent.@Nullable ToolCall call) {
        if (call != null) {
            Json arguments = EventFields.arguments(call.arguments());
            if (arguments.isObject()) {
                payload.put("args", arguments);
            }
        }
    }

    /** Return the reason of a step under a name that the client declares. */
    static String reason(String finishReason) {
        return switch (finishReason) {
            case "stop", "length", "content-filter", "tool-calls" -> finishReason;
            case "unknown", "missing" -> "unknown";
            case "aborted" -> "other";
            default -> "error";
        };
    }

    static Map<String, Object> waiting(PendingApproval pending, String callId) {
        Map<String, Object> payload = ofCall(callId, pending.toolName());
        payload.put("args", pending.arguments());
        String schema = pending.kind() == PendingApproval.Kind.APPROVAL ? WireAnswers.DECISION.text() : "{}";
        payload.put("resumeSchema", pending.dataSchema().map(Json::text).orElse(schema));
        if (pending.kind() == PendingApproval.Kind.DATA) {
            payload.put("suspendPayload", pending.payload().orElse(Json.of(Map.of())));
        } else {
            pending.payload().ifPresent(shown -> payload.put("suspendPayload", shown));
        }
        return payload;
    }

    static Map<String, Object> usage(Usage usage) {
        return Map.of(
                "inputTokens", usage.inputTokens(),
                "outputTokens", usage.outputTokens(),
                "totalTokens", usage.totalTokens(),
                "reasoningTokens", usage.reasoningTokens(),
                "cachedInputTokens", usage.cachedInputTokens());
    }

    static Map<String, Object> finish(
            RunId run, String reason, Usage usage, String stopReason, Map<String, Object> messages) {
        return Map.of(
                "messageId", "msg_" + run.value(),
                "stepResult", Map.of("reason", reason, "isContinued", false),
                "output", Map.of("usage", usage(usage)),
                "metadata", Map.of("stopReason", stopReason),
                "messages", messages);
    }

    /** Return the type of the chunk that asks for an answer. */
    static String waitingType(PendingApproval pending) {
        return pending.kind() == PendingApproval.Kind.DATA ? "tool-call-suspended" : "tool-call-approval";
    }

    /** Return a chunk as the output of the calls that lead to its run, in one envelope for each. */
    static Map<String, Object> enclosed(
            Map<String, Object> chunk, List<RootCalls.Caller> chain, Map<String, RunEvent.ToolCall> calls) {
        Map<String, Object> outer = chunk;
        for (RootCalls.Caller caller : chain.reversed()) {
            Map<String, Object> payload = new LinkedHashMap<>();
            if (caller.step() != null) {
                payload.put("id", caller.step());
                payload.put("output", outer);
                outer = of("workflow-step-output", caller.run(), "payload", payload);
                outer.put("from", "WORKFLOW");
                continue;
            }
            payload.put("toolCallId", caller.callId());
            RunEvent.ToolCall call = calls.get(caller.callId());
            if (call != null) {
                payload.put("toolName", call.toolName());
            }
            payload.put("output", outer);
            outer = of("tool-output", caller.run(), "payload", payload);
        }
        return outer;
    }

    /** Return what the client declares for the start of a task, and who works on it. */
    static Map<String, Object> task(BackgroundTaskEvent.BackgroundTaskStarted start, RunEvent.@Nullable ToolCall call) {
        Map<String, Object> payload = ofCall(start.callId(), call == null ? "" : call.toolName());
        payload.put("taskId", start.taskId().value());
        payload.put("agentId", start.agentId());
        return payload;
    }

    /**
     * Return what the client declares for a verdict about a step.
     *
     * @param mostSteps how many steps the run may have; 0 if that is not known
     */
    static Map<String, Object> scored(RunEvent.ScoringComplete end, int mostSteps) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("iteration", end.origin().step());
        payload.put("passed", end.complete());
        payload.put("results", end.results().stream().map(Chunks::score).toList());
        payload.put("duration", end.duration().toMillis());
        payload.put("timedOut", false); // each scorer has its own time, and its result says so
        end.results().stream()
                .filter(result -> result.passed() == end.complete())
                .findFirst()
                .ifPresent(result -> payload.put("reason", result.reason()));
        payload.put("maxIterationReached", mostSteps > 0 && end.origin().step() >= mostSteps);
        payload.put("suppressFeedback", false);
        return payload;
    }

    /** Return what a scorer has said; its own fields stay. */
    private static Map<String, Object> score(ScorerResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scorer", result.scorer());
        fields.put("scorerId", result.scorer());
        fields.put("scorerName", result.scorer());
        fields.put("score", result.score());
        fields.put("threshold", result.threshold());
        fields.put("passed", result.passed());
        fields.put("reason", result.reason());
        fields.put("duration", result.duration().toMillis());
        if (result.errorId() != null) {
            fields.put("errored", true);
            fields.put("errorId", result.errorId());
        }
        return fields;
    }

    /** Return the calls that the client executes now. */
    static List<Map<String, Object>> external(RunId root, RunEvent.RunSuspend suspend) {
        return ExternalCalls.of(suspend).stream()
                .map(call -> of("tool-call", root, "payload", waiting(call, call.callId())))
                .toList();
    }
}
