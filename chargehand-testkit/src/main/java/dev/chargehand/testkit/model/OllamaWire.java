package dev.chargehand.testkit.model;

import static dev.chargehand.testkit.model.Texts.elements;
import static dev.chargehand.testkit.model.Texts.object;
import static dev.chargehand.testkit.model.Texts.text;

import dev.chargehand.model.FinishReason;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Ollama's chat: lines of JSON. */
final class OllamaWire implements TextWire {

    @Override
    public Set<Capability> can() {
        return EnumSet.of(Capability.REASONING, Capability.IMAGES, Capability.RESPONSE_FORMAT, Capability.SEED);
    }

    @Override
    public String baseUrl(LoopbackProvider provider) {
        return "http://127.0.0.1:" + provider.port();
    }

    @Override
    public String mediaType() {
        return "application/x-ndjson";
    }

    @Override
    public List<String> textEvents(WireAnswer answer) {
        List<String> events = new ArrayList<>();
        for (String delta : answer.reasoning()) {
            events.add(line(object().put("role", "assistant").put("content", "").put("thinking", delta)));
        }
        for (String delta : answer.text()) {
            events.add(line(object().put("role", "assistant").put("content", delta)));
        }
        for (FunctionCall call : answer.calls()) {
            ObjectNode message = object().put("role", "assistant").put("content", "");
            ObjectNode function = message.putArray("tool_calls").addObject().putObject("function");
            function.put("name", call.name()).set("arguments", Texts.arguments(call.arguments()));
            events.add(line(message));
        }
        FinishReason finish = answer.finish();
        if (finish != null) {
            ObjectNode last = object().put("model", "m").put("created_at", "2026-01-01T00:00:00Z");
            last.putObject("message").put("role", "assistant").put("content", "");
            last.put("done_reason", reason(finish))
                    .put("done", true)
                    .put("prompt_eval_count", answer.usage().input())
                    .put("eval_count", answer.usage().output());
            events.add(last + "\n");
        }
        return events;
    }

    private static String line(ObjectNode message) {
        ObjectNode line = object().put("model", "m").put("created_at", "2026-01-01T00:00:00Z");
        line.set("message", message);
        return line.put("done", false) + "\n";
    }

    private static String reason(FinishReason finish) {
        return switch (finish) {
            case STOP, TOOL_CALLS -> "stop";
            case LENGTH -> "length";
            case CONTENT_FILTER, UNKNOWN, MISSING -> "something_new";
        };
    }

    @Override
    public String textEvent(String data) {
        return data + "\n";
    }

    @Override
    public String error(Trouble trouble, String message) {
        return object().put("error", message).toString();
    }

    @Override
    public String instructions(ReceivedRequest request) {
        return Texts.elements(Texts.MAPPER.readTree(request.body()).path("messages")).stream()
                .takeWhile(message -> Texts.text(message, "role").equals("system"))
                .map(message -> Texts.text(message, "content"))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public List<String> problems(ReceivedRequest request) {
        List<String> problems = new ArrayList<>();
        JsonNode body = Texts.MAPPER.readTree(request.body());
        if (!request.path().equals("/api/chat") || !body.path("stream").asBoolean(false)) {
            problems.add("path " + request.path() + ", or no stream asked for");
        }
        int open = 0;
        for (JsonNode message : elements(body.path("messages"))) {
            switch (text(message, "role")) {
                case "tool" -> {
                    if (open-- < 1 || text(message, "tool_name").isEmpty()) {
                        problems.add("a result without a call or without a tool's name");
                    }
                }
                case "system", "user", "assistant" -> {
                    if (open > 0) {
                        problems.add(open + " calls without results");
                    }
                    open = elements(message.path("tool_calls")).size();
                    for (JsonNode call : elements(message.path("tool_calls"))) {
                        if (!call.path("function").path("arguments").isObject()) {
                            problems.add("arguments that are no object");
                        }
                    }
                }
                default -> problems.add("role " + text(message, "role"));
            }
        }
        return problems;
    }
}
