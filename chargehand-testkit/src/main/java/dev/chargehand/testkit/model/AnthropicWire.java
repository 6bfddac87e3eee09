package dev.chargehand.testkit.model;

import static dev.chargehand.testkit.model.Texts.elements;
import static dev.chargehand.testkit.model.Texts.object;
import static dev.chargehand.testkit.model.Texts.sse;
import static dev.chargehand.testkit.model.Texts.text;

import dev.chargehand.model.FinishReason;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Anthropic's messages, streamed. */
final class AnthropicWire implements TextWire {

    @Override
    public Set<Capability> can() {
        Set<Capability> can = EnumSet.allOf(Capability.class);
        can.removeAll(Set.of(Capability.REASONING_TOKENS, Capability.SEED));
        return can;
    }

    @Override
    public String baseUrl(LoopbackProvider provider) {
        return provider.baseUrl();
    }

    @Override
    public String mediaType() {
        return "text/event-stream; charset=utf-8";
    }

    @Override
    public List<String> textEvents(WireAnswer answer) {
        List<String> events = new ArrayList<>();
        events.add(start(answer));
        events.add(sse("ping", object().put("type", "ping")));
        int index = 0;
        if (!answer.reasoning().isEmpty()) {
            thinking(events, index++, answer);
        }
        if (!answer.text().isEmpty()) {
            events.add(begin(index, object().put("type", "text").put("text", "")));
            for (String delta : answer.text()) {
                events.add(more(index, object().put("type", "text_delta").put("text", delta)));
            }
            events.add(end(index++));
        }
        for (FunctionCall call : answer.calls()) {
            ObjectNode block =
                    object().put("type", "tool_use").put("id", call.id()).put("name", call.name());
            block.putObject("input");
            events.add(begin(index, block));
            for (String piece : answer.pieces(call)) {
                events.add(more(index, object().put("type", "input_json_delta").put("partial_json", piece)));
            }
            events.add(end(index++));
        }
        FinishReason finish = answer.finish();
        if (finish != null) {
            ObjectNode last = object().put("type", "message_delta");
            last.putObject("delta").put("stop_reason", reason(finish)).putNull("stop_sequence");
            last.putObject("usage").put("output_tokens", answer.usage().output());
            events.add(sse("message_delta", last));
            events.add(sse("message_stop", object().put("type", "message_stop")));
        }
        return events;
    }

    private static String start(WireAnswer answer) {
        ObjectNode start = object().put("type", "message_start");
        ObjectNode message = start.putObject("message");
        message.put("id", "msg_1")
                .put("type", "message")
                .put("role", "assistant")
                .put("model", "claude");
        message.putArray("content");
        message.putNull("stop_reason");
        message.putObject("usage")
                .put("input_tokens", answer.usage().input() - answer.usage().cachedInput())
                .put("cache_read_input_tokens", answer.usage().cachedInput())
                .put("cache_creation_input_tokens", 0)
                .put("output_tokens", 1);
        return sse("message_start", start);
    }

    private static void thinking(List<String> events, int index, WireAnswer answer) {
        events.add(begin(
                index, object().put("type", "thinking").put("thinking", "").put("signature", "")));
        for (String delta : answer.reasoning()) {
            events.add(more(index, object().put("type", "thinking_delta").put("thinking", delta)));
        }
        if (!answer.signature().isEmpty()) {
            events.add(more(index, object().put("type", "signature_delta").put("signature", answer.signature())));
        }
        events.add(end(index));
    }

    private static String begin(int index, ObjectNode block) {
        ObjectNode event = object().put("type", "content_block_start").put("index", index);
        event.set("content_block", block);
        return sse("content_block_start", event);
    }

    private static String more(int index, ObjectNode delta) {
        ObjectNode event = object().put("type", "content_block_delta").put("index", index);
        event.set("delta", delta);
        return sse("content_block_delta", event);
    }

    private static String end(int index) {
        return sse(
                "content_block_stop", object().put("type", "content_block_stop").put("index", index));
    }

    private static String reason(FinishReason finish) {
        return switch (finish) {
            case STOP -> "end_turn";
            case TOOL_CALLS -> "tool_use";
            case LENGTH -> "max_tokens";
            case CONTENT_FILTER -> "refusal";
            case UNKNOWN, MISSING -> "something_new";
        };
    }

    @Override
    public String textEvent(String data) {
        return "event: content_block_delta\ndata: " + data + "\n\n";
    }

    @Override
    public String error(Trouble trouble, String message) {
        String type =
                switch (trouble) {
                    case OVERLOADED -> "overloaded_error";
                    case RATE_LIMIT -> "rate_limit_error";
                    case INVALID_REQUEST -> "invalid_request_error";
                    case AUTHENTICATION -> "authentication_error";
                };
        ObjectNode error = object().put("type", "error");
        error.putObject("error").put("type", type).put("message", message);
        return error.toString();
    }

    @Override
    public String instructions(ReceivedRequest request) {
        return Texts.texts(Texts.MAPPER.readTree(request.body()).path("system"));
    }

    @Override
    public List<String> problems(ReceivedRequest request) {
        List<String> problems = new ArrayList<>();
        JsonNode body = Texts.MAPPER.readTree(request.body());
        if (!request.path().equals("/v1/messages")) {
            problems.add("path " + request.path());
        }
        if (request.header("x-api-key").isEmpty()
                || request.header("anthropic-version").isEmpty()) {
            problems.add("no key or no version");
        }
        if (body.path("max_tokens").asInt(0) < 1 || text(body, "model").isEmpty()) {
            problems.add("no max_tokens or no model");
        }
        JsonNode system = body.path("system");
        for (JsonNode block : elements(system)) {
            if (text(block, "text").isBlank()) {
                problems.add("an empty system block");
            }
        }
        messages(elements(body.path("messages")), body.path("tools"), problems);
        return problems;
    }

    private static void messages(List<JsonNode> messages, JsonNode tools, List<String> problems) {
        if (messages.isEmpty() || !text(messages.getFirst(), "role").equals("user")) {
            problems.add("the first message is not the user's");
        }
        Set<String> open = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (JsonNode message : messages) {
            String role = text(message, "role");
            if (!role.equals("user") && !role.equals("assistant")) {
                problems.add("role " + role);
            }
            if (elements(message.path("content")).isEmpty()) {
                problems.add("a message without content");
            }
            Set<String> answered = new HashSet<>();
            for (JsonNode block : elements(message.path("content"))) {
                block(block, tools, open, seen, answered, problems);
            }
            if (role.equals("user")) {
                if (!open.equals(answered)) {
                    problems.add("calls " + open + " got results " + answered);
                }
                open.clear();
            }
        }
    }

    private static void block(
            JsonNode block,
            JsonNode tools,
            Set<String> open,
            Set<String> seen,
            Set<String> answered,
            List<String> problems) {
        switch (text(block, "type")) {
            case "text" -> {
                if (text(block, "text").isBlank()) {
                    problems.add("an empty text");
                }
            }
            case "tool_use" -> {
                String id = text(block, "id");
                if (!id.matches("[A-Za-z0-9_-]+") || !seen.add(id)) {
                    problems.add("call id '" + id + "'");
                }
                if (!block.path("input").isObject() || elements(tools).isEmpty()) {
                    problems.add("a call without an object as input, or without tools");
                }
                open.add(id);
            }
            case "tool_result" -> answered.add(text(block, "tool_use_id"));
            case "thinking" -> {
                if (text(block, "signature").isEmpty()) {
                    problems.add("thinking without a signature");
                }
            }
            case "image", "redacted_thinking" -> {}
            default -> problems.add("a block of type " + text(block, "type"));
        }
    }
}
