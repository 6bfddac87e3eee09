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

    static Map<String, Object> payload(RunEvent.ToolCall call) {
        Map<String, Object> payload = ofCall(call.callId(), call.toolName());
        payload.put("args", EventFields.arguments(call.arguments()));
        return payload;
    }

    static Map<String, Object> waiting(PendingApproval pending, String callId) {
        Map<String, Object> payload = ofCall(callId, pending.toolName());
        payload.put("args", pending.arguments());
        payload.put("resumeSchema", pending.dataSchema().map(Json::text).orElse("{}"));
        pending.payload().ifPresent(shown -> payload.put("suspendPayload", shown));
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

    /** Return the calls that the client executes now. */
    static List<Map<String, Object>> external(RunId root, RunEvent.RunSuspend suspend) {
        return ExternalCalls.of(suspend).stream()
                .map(call -> of("tool-call", root, "payload", waiting(call, call.callId())))
                .toList();
    }
}
