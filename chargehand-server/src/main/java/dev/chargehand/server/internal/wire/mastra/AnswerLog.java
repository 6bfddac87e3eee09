package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.EventFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run says and does, step by step, in the forms in which Mastra's client reads a whole answer: its steps, and the messages that it
 * would add to a conversation. Used by one thread.
 */
final class AnswerLog {

    /** The messages of a run of which none are known. */
    static final Map<String, Object> NO_MESSAGES = Map.of("all", List.of(), "user", List.of(), "nonUser", List.of());

    private final RunId run;
    private final List<Message> asked;
    private final List<StepLog> steps = new ArrayList<>();
    private @Nullable Map<String, Object> tripwire;
    private Instant began = Instant.EPOCH;

    /**
     * Make it.
     *
     * @param asked the messages of the request
     */
    AnswerLog(RunId run, List<Message> asked) {
        this.run = run;
        this.asked = List.copyOf(asked);
    }

    /** Note an event of the run. */
    void note(RunEvent event) {
        began = began.equals(Instant.EPOCH) ? event.time() : began;
        switch (event) {
            case RunEvent.StepStart start -> steps.add(new StepLog(start.step(), start.time()));
            case RunEvent.ReasoningDelta delta -> at(delta).reasoning.append(delta.text());
            case RunEvent.StepRetry retry -> at(retry).reasoning.setLength(0);
            case RunEvent.UsageReport report -> at(report).model = report.model();
            case RunEvent.ToolCall call -> at(call).calls.putIfAbsent(call.callId(), call);
            case RunEvent.ToolResult result -> at(result).results.put(result.callId(), result);
            case RunEvent.ToolError error -> at(error).results.put(error.callId(), error);
            case RunEvent.Tripwire blocked -> tripwire = blocked.retry() ? tripwire : Chunks.tripwire(blocked);
            case RunEvent.StepFinish finish -> {
                StepLog step = at(finish);
                step.reason = Chunks.reason(finish.finishReason());
                step.usage = finish.usage();
            }
            default -> {}
        }
    }

    /** Note a part of the text that is sent. */
    void say(RunEvent event, String part) {
        at(event).text.append(part);
    }

    /** Return the step of an event; a stream that starts later, or a result that is late, has one without a start. */
    private StepLog at(RunEvent event) {
        for (StepLog step : steps.reversed()) {
            if (step.number == event.step()) {
                return step;
            }
        }
        if (steps.isEmpty() || !(event instanceof RunEvent.RunFinish)) {
            steps.add(new StepLog(event.step(), event.time()));
        }
        return steps.getLast();
    }

    /** Return the messages of the request and those of the answer. */
    Map<String, Object> messages() {
        List<Map<String, Object>> input = asked.stream()
                .filter(each -> each.role() == Role.USER)
                .map(each -> message("user", each.text()))
                .toList();
        List<Map<String, Object>> answer = answer();
        List<Map<String, Object>> all = asked.stream()
                .map(each -> message(each.role() == Role.USER ? "user" : "assistant", each.text()))
                .toList();
        return Map.of("all", Stream.concat(all.stream(), answer.stream()).toList(), "user", input, "nonUser", answer);
    }

    private static Map<String, Object> message(String role, String text) {
        return Map.of("role", role, "content", text);
    }

    private List<Map<String, Object>> answer() {
        return steps.stream().flatMap(step -> step.messages().stream()).toList();
    }

    /** Return the fields of a whole answer besides its text, its calls, its reason and its usage. */
    Map<String, Object> fields(Optional<Json> object) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("steps", steps.stream().map(step -> step.fields(run)).toList());
        fields.put("warnings", List.of());
        fields.put("request", Map.of());
        fields.put(
                "reasoning", steps.stream().flatMap(step -> step.reasoning(run)).toList());
        String reasoning = String.join(
                "", steps.stream().map(step -> step.reasoning.toString()).toList());
        if (!reasoning.isEmpty()) {
            fields.put("reasoningText", reasoning);
        }
        fields.put(
                "toolResults",
                steps.stream().flatMap(step -> step.toolResults(run)).toList());
        fields.put("sources", List.of());
        fields.put("files", List.of());
        fields.put("response", response(answer()));
        fields.put("usedFallbackValue", false);
        if (tripwire != null) {
            fields.put("tripwire", tripwire);
        }
        fields.put("messages", stored());
        fields.put("rememberedMessages", List.of());
        object.ifPresent(value -> fields.put("object", value));
        return fields;
    }

    private static List<Map<String, Object>> shown(Message asked) {
        List<Map<String, Object>> parts = new ArrayList<>(List.of(Map.of("type", "text", "text", asked.text())));
        asked.partsOf(Part.Image.class)
                .forEach(
                        image -> parts.add(Map.of("type", "file", "mimeType", image.mediaType(), "data", image.url())));
        return parts;
    }

    private Map<String, Object> response(List<Map<String, Object>> messages) {
        return steps.isEmpty() ? Map.of("messages", messages) : steps.getLast().response(run, messages);
    }

    /** Return the messages in the form in which memory has them: those of the request, and one with all that the run said. */
    private List<Map<String, Object>> stored() {
        List<Map<String, Object>> messages = new ArrayList<>();
        int number = 0;
        for (Message each : asked) {
            String id = each.id().isEmpty() ? "msg_" + run.value() + "_" + number++ : each.id();
            String role = each.role() == Role.USER ? "user" : "assistant";
            messages.add(stored(id, role, began, shown(each)));
        }
        List<Map<String, Object>> parts =
                steps.stream().flatMap(step -> step.parts().stream()).toList();
        if (!parts.isEmpty()) {
            messages.add(stored("msg_" + run.value(), "assistant", began, parts));
        }
        return messages;
    }

    private static Map<String, Object> stored(String id, String role, Instant at, List<Map<String, Object>> parts) {
        return Map.of(
                "id",
                id,
                "role",
                role,
                "createdAt",
                at.toString(),
                "type",
                "v2",
                "content",
                Map.of("format", 2, "parts", parts));
    }

    /** A step: what the model said, the calls that it made, and their results. */
    private static final class StepLog {

        private final int number;
        private final Instant at;
        private final StringBuilder text = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final Map<String, RunEvent.ToolCall> calls = new LinkedHashMap<>();
        private final Map<String, RunEvent> results = new LinkedHashMap<>();
        private String model = "";
        private String reason = "unknown";
        private Usage usage = Usage.NONE;

        StepLog(int number, Instant at) {
            this.number = number;
            this.at = at;
        }

        /** Return its fields; the messages are its own, since those of all steps before would be sent with each step again. */
        Map<String, Object> fields(RunId run) {
            List<Map<String, Object>> chunks = calls.values().stream()
                    .map(call -> Chunks.of("tool-call", run, "payload", Chunks.payload(call)))
                    .toList();
            List<Map<String, Object>> ended = toolResults(run).toList();
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("stepType", number <= 1 ? "initial" : "tool-result");
            fields.put("text", text.toString());
            fields.put("reasoning", reasoning(run).toList());
            if (!reasoning.isEmpty()) {
                fields.put("reasoningText", reasoning.toString());
            }
            fields.put("content", content());
            fields.put("toolCalls", chunks);
            fields.put("toolResults", ended);
            fields.put("staticToolCalls", chunks);
            fields.put("staticToolResults", ended);
            fields.put("dynamicToolCalls", List.of());
            fields.put("dynamicToolResults", List.of());
            fields.put("files", List.of());
            fields.put("sources", List.of());
            fields.put("finishReason", reason);
            fields.put("usage", Chunks.usage(usage));
            fields.put("warnings", List.of());
            fields.put("request", Map.of());
            fields.put("response", response(run, messages()));
            return fields;
        }

        Map<String, Object> response(RunId run, List<Map<String, Object>> messages) {
            return Map.of(
                    "id", "msg_" + run.value(), "timestamp", at.toString(), "modelId", model, "messages", messages);
        }

        Stream<Map<String, Object>> reasoning(RunId run) {
            return reasoning.isEmpty()
                    ? Stream.empty()
                    : Stream.of(Chunks.of(
                            "reasoning",
                            run,
                            "payload",
                            Map.of("id", "reasoning-" + number, "text", reasoning.toString())));
        }

        Stream<Map<String, Object>> toolResults(RunId run) {
            return results.values().stream()
                    .filter(RunEvent.ToolResult.class::isInstance)
                    .map(RunEvent.ToolResult.class::cast)
                    .map(result -> Chunks.of(
                            "tool-result", run, "payload", Chunks.payload(result, calls.get(result.callId()))));
        }

        private List<Map<String, Object>> content() {
            List<Map<String, Object>> content = new ArrayList<>(said());
            results.values().forEach(each -> {
                if (each instanceof RunEvent.ToolResult result) {
                    Map<String, Object> part = part("tool-result", result.callId(), result.toolName());
                    part.put("input", input(result.callId()));
                    part.put("output", result.output());
                    content.add(part);
                }
            });
            return content;
        }

        /** Return what the model said. */
        private List<Map<String, Object>> said() {
            List<Map<String, Object>> said = new ArrayList<>();
            if (!reasoning.isEmpty()) {
                said.add(Map.of("type", "reasoning", "text", reasoning.toString()));
            }
            if (!text.isEmpty()) {
                said.add(Map.of("type", "text", "text", text.toString()));
            }
            calls.values().forEach(call -> {
                Map<String, Object> part = part("tool-call", call.callId(), call.toolName());
                part.put("input", EventFields.arguments(call.arguments()));
                said.add(part);
            });
            return said;
        }

        private Object input(String callId) {
            RunEvent.ToolCall call = calls.get(callId);
            return call == null ? Map.of() : EventFields.arguments(call.arguments());
        }

        private static Map<String, Object> part(String type, String callId, String tool) {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("type", type);
            part.putAll(Chunks.ofCall(callId, tool));
            return part;
        }

        List<Map<String, Object>> messages() {
            List<Map<String, Object>> messages = new ArrayList<>();
            List<Map<String, Object>> said = said();
            if (!said.isEmpty()) {
                messages.add(Map.of("role", "assistant", "content", said));
            }
            List<Map<String, Object>> ended =
                    results.values().stream().map(StepLog::outcome).toList();
            if (!ended.isEmpty()) {
                messages.add(Map.of("role", "tool", "content", ended));
            }
            return messages;
        }

        private static Map<String, Object> outcome(RunEvent event) {
            if (event instanceof RunEvent.ToolResult result) {
                Map<String, Object> part = part("tool-result", result.callId(), result.toolName());
                part.put("output", Map.of("type", "json", "value", result.output()));
                return part;
            }
            RunEvent.ToolError error = (RunEvent.ToolError) event;
            Map<String, Object> part = part("tool-result", error.callId(), error.toolName());
            part.put("output", Map.of("type", "error-text", "value", error.message()));
            return part;
        }

        /** Return the parts of a stored message. */
        List<Map<String, Object>> parts() {
            List<Map<String, Object>> parts = new ArrayList<>();
            if (!reasoning.isEmpty()) {
                String thought = reasoning.toString();
                parts.add(Map.of(
                        "type",
                        "reasoning",
                        "reasoning",
                        thought,
                        "details",
                        List.of(Map.of("type", "text", "text", thought))));
            }
            if (!text.isEmpty()) {
                parts.add(Map.of("type", "text", "text", text.toString()));
            }
            calls.values().forEach(call -> {
                Map<String, Object> invocation = new LinkedHashMap<>(Chunks.payload(call));
                RunEvent result = results.get(call.callId());
                invocation.put("state", result == null ? "call" : "result");
                if (result instanceof RunEvent.ToolResult ended) {
                    invocation.put("result", ended.output());
                } else if (result instanceof RunEvent.ToolError error) {
                    invocation.put("result", error.message());
                    invocation.put("isError", true);
                }
                parts.add(Map.of("type", "tool-invocation", "toolInvocation", invocation));
            });
            return parts;
        }
    }
}
