package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.ExternalCalls;
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
        payload.put("resumeSchema", pending.dataSchema().map(Json::text).orElse("{}"));
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

    /** Return the calls that the client executes now. */
    static List<Map<String, Object>> external(RunId root, RunEvent.RunSuspend suspend) {
        return ExternalCalls.of(suspend).stream()
                .map(call -> of("tool-call", root, "payload", waiting(call, call.callId())))
                .toList();
    }
}
