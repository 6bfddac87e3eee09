package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.FinishReason;
import dev.chargehand.provider.stream.CallFragment;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.run.Usage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads Ollama's lines. A call is whole in one of them, and not always numbered. */
final class OllamaEvents implements AnswerEvents {

    private final ResponseBuilder answer;
    private int calls;

    OllamaEvents(ResponseBuilder answer) {
        this.answer = answer;
    }

    @Override
    public boolean accept(JsonNode line) {
        JsonNode message = line.path("message");
        if (message.isObject()) {
            answer.begin();
            answer.reasoning(message.path("thinking").asString(""));
            answer.text(message.path("content").asString(""));
            message.path("tool_calls").forEach(this::call);
        }
        if (!line.path("done").asBoolean(false)) {
            return true;
        }
        answer.finish(finish(line.path("done_reason").asString("stop")));
        answer.usage(Usage.of(Trees.count(line, "prompt_eval_count", 0), Trees.count(line, "eval_count", 0)));
        return false;
    }

    private void call(JsonNode call) {
        JsonNode function = call.path("function");
        JsonNode arguments = function.path("arguments");
        answer.call(new CallFragment(
                calls++,
                call.path("id").asString(""),
                function.path("name").asString(""),
                arguments.isString() ? arguments.stringValue() : arguments.isObject() ? arguments.toString() : "{}"));
    }

    /** That it is done is what it always says; why, only later versions do. */
    private FinishReason finish(String reason) {
        return switch (reason) {
            case "stop" -> calls > 0 ? FinishReason.TOOL_CALLS : FinishReason.STOP;
            case "length" -> FinishReason.LENGTH;
            default -> FinishReason.UNKNOWN;
        };
    }

    @Override
    public @Nullable String state() {
        return null;
    }
}
