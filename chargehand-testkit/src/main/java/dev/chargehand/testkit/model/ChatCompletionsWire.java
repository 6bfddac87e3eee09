package dev.chargehand.testkit.model;

import static dev.chargehand.testkit.model.Texts.object;
import static dev.chargehand.testkit.model.Texts.sse;

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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAI's chat completions, or as Mistral speaks them: its reasoning is a part of the content, its usage comes with
 * the last event, unasked. The loopback provider checks the requests itself.
 */
record ChatCompletionsWire(boolean isMistral) implements TextWire {

    @Override
    public Set<Capability> can() {
        Set<Capability> can = EnumSet.allOf(Capability.class);
        can.remove(Capability.SIGNATURES);
        if (isMistral) {
            can.removeAll(Set.of(
                    Capability.RESPONSE_FORMAT,
                    Capability.CACHED_TOKENS,
                    Capability.REASONING_TOKENS,
                    Capability.CONTENT_FILTER));
        }
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
        events.add(delta(object().put("role", "assistant").put("content", "")));
        for (String each : answer.reasoning()) {
            events.add(delta(isMistral ? thinking(each) : object().put("reasoning_content", each)));
        }
        for (String each : answer.text()) {
            events.add(delta(object().put("content", each)));
        }
        for (int i = 0; i < answer.calls().size(); i++) {
            call(events, i, answer.calls().get(i), answer);
        }
        FinishReason finish = answer.finish();
        if (finish != null) {
            ObjectNode last = chunk();
            last.withArray("choices")
                    .addObject()
                    .put("index", 0)
                    .put("finish_reason", reason(finish))
                    .putObject("delta");
            if (isMistral) {
                last.set("usage", usage(answer));
                events.add(sse(last));
            } else {
                events.add(sse(last));
                ObjectNode counts = chunk();
                counts.putArray("choices");
                counts.set("usage", usage(answer));
                events.add(sse(counts));
            }
            events.add("data: [DONE]\n\n");
        }
        return events;
    }

    private void call(List<String> events, int index, FunctionCall call, WireAnswer answer) {
        ObjectNode first = object();
        ObjectNode named =
                first.putArray("tool_calls").addObject().put("index", index).put("id", call.id());
        named.put("type", "function")
                .putObject("function")
                .put("name", call.name())
                .put("arguments", "");
        events.add(delta(first));
        for (String piece : answer.pieces(call)) {
            ObjectNode more = object();
            more.putArray("tool_calls")
                    .addObject()
                    .put("index", index)
                    .putObject("function")
                    .put("arguments", piece);
            events.add(delta(more));
        }
    }

    private static ObjectNode thinking(String words) {
        ObjectNode delta = object();
        ArrayNode content = delta.putArray("content");
        content.addObject()
                .put("type", "thinking")
                .putArray("thinking")
                .addObject()
                .put("type", "text")
                .put("text", words);
        return delta;
    }

    private static JsonNode usage(WireAnswer answer) {
        ObjectNode usage = object().put("prompt_tokens", answer.usage().input())
                .put("completion_tokens", answer.usage().output())
                .put("total_tokens", answer.usage().input() + answer.usage().output());
        usage.putObject("prompt_tokens_details")
                .put("cached_tokens", answer.usage().cachedInput());
        usage.putObject("completion_tokens_details")
                .put("reasoning_tokens", answer.usage().reasoning());
        return usage;
    }

    private static String delta(ObjectNode delta) {
        ObjectNode chunk = chunk();
        chunk.withArray("choices").addObject().put("index", 0).set("delta", delta);
        return sse(chunk);
    }

    private static ObjectNode chunk() {
        return object().put("id", "c1").put("object", "chat.completion.chunk").put("model", "m");
    }

    private static String reason(FinishReason finish) {
        return switch (finish) {
            case STOP -> "stop";
            case TOOL_CALLS -> "tool_calls";
            case LENGTH -> "length";
            case CONTENT_FILTER -> "content_filter";
            case UNKNOWN, MISSING -> "something_new";
        };
    }

    @Override
    public String textEvent(String data) {
        return "data: " + data + "\n\n";
    }

    @Override
    public String error(Trouble trouble, String message) {
        ObjectNode error = object();
        error.putObject("error").put("message", message).put("code", trouble.status());
        return error.toString();
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
        return request.path().equals("/v1/chat/completions") ? List.of() : List.of("path " + request.path());
    }
}
