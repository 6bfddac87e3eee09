package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.EventFields;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The payloads of chunks of networks: the fields of events, and those that Mastra's client declares for them. */
final class NetworkPayloads {

    private NetworkPayloads() {}

    /**
     * Return the payload of an event of the router's run.
     *
     * @param decision the last one; null before the first one
     * @param calls those that have been made, by their ids
     * @param object the structured answer, if there is one yet
     */
    static Map<String, Object> of(
            RunEvent event,
            RunEvent.@Nullable RoutingAgentEnd decision,
            Map<String, RunEvent.ToolCall> calls,
            @Nullable Json object) {
        Map<String, Object> fields = new LinkedHashMap<>(EventFields.of(event));
        fields.put("runId", event.runId().value());
        int iteration = Math.max(0, event.origin().step() - 1);
        fields.put("iteration", iteration);
        switch (event) {
            case RunEvent.RoutingAgentStart ignored -> {
                String agent = event.origin().path().toString();
                fields.put("agentId", agent);
                fields.put("networkId", agent);
                fields.put("inputData", Map.of("iteration", iteration));
            }
            case RunEvent.DelegationStart start -> {
                fields.put("runId", start.call().childRunId().value());
                fields.put("args", chosen(decision, iteration));
            }
            case RunEvent.DelegationEnd end -> {
                fields.put("runId", end.call().childRunId().value());
                fields.put("result", end.text());
                fields.put("usage", Chunks.usage(end.usage()));
            }
            case RunEvent.ToolCall call -> {
                Map<String, Object> args = Chunks.payload(call);
                args.put("selectionReason", reason(decision));
                fields.put("args", args);
            }
            case RunEvent.ToolResult result -> ended(fields, result.callId(), result.output(), decision, calls);
            case RunEvent.ToolError error -> ended(fields, error.callId(), error.message(), decision, calls);
            case RunEvent.ScoringStart start ->
                fields.put("checksCount", start.scorers().size());
            case RunEvent.ScoringComplete end -> {
                fields.put("passed", end.complete());
                fields.put("duration", end.duration().toMillis());
            }
            case RunEvent.NetworkStepFinish finish -> {
                fields.put("result", finish.text());
                fields.put("isComplete", finish.decision().stopReason() != null);
                fields.put("usage", Chunks.usage(finish.usage()));
            }
            case RunEvent.NetworkFinish finish -> {
                fields.putAll(chosen(decision, finish.iterations()));
                fields.put("result", finish.text());
                fields.put("completionReason", finish.stopReason().code());
                fields.put("usage", Chunks.usage(finish.totalUsage()));
                if (object != null) {
                    fields.put("object", object);
                }
            }
            default -> {}
        }
        return fields;
    }

    /** Return the payload of an event of a run below. */
    static Map<String, Object> ofNested(RunEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>(EventFields.of(event));
        switch (event) {
            case RunEvent.ToolCall call -> fields.putAll(Chunks.payload(call));
            case RunEvent.ToolResult result -> {
                fields.putAll(Chunks.ofCall(result.callId(), result.toolName()));
                fields.put("result", result.output());
            }
            case RunEvent.ToolError error -> {
                fields.putAll(Chunks.ofCall(error.callId(), error.toolName()));
                fields.put("error", error.message());
            }
            default -> {}
        }
        return fields;
    }

    private static void ended(
            Map<String, Object> fields,
            String callId,
            Object result,
            RunEvent.@Nullable RoutingAgentEnd decision,
            Map<String, RunEvent.ToolCall> calls) {
        RunEvent.ToolCall call = calls.get(callId);
        fields.putAll(Chunks.ofCall(callId, call == null ? "" : call.toolName()));
        fields.put("result", result);
        fields.put("primitiveId", id(decision));
        fields.put("primitiveType", type(decision));
    }

    private static Map<String, Object> chosen(RunEvent.@Nullable RoutingAgentEnd decision, int iteration) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("primitiveId", id(decision));
        fields.put("primitiveType", type(decision));
        fields.put("prompt", decision == null || decision.prompt() == null ? "" : decision.prompt());
        fields.put("selectionReason", reason(decision));
        fields.put("iteration", iteration);
        return fields;
    }

    /** Return why the router has chosen what it has chosen last. */
    static String reason(RunEvent.@Nullable RoutingAgentEnd decision) {
        return decision == null || decision.selectionReason() == null ? "" : decision.selectionReason();
    }

    private static String id(RunEvent.@Nullable RoutingAgentEnd decision) {
        return decision == null || decision.primitiveId() == null ? "" : decision.primitiveId();
    }

    private static String type(RunEvent.@Nullable RoutingAgentEnd decision) {
        return decision == null || decision.primitiveType() == null
                ? ""
                : decision.primitiveType().name().toLowerCase(Locale.ROOT);
    }
}
