package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.AnswerEvents;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.FinishReason;
import dev.chargehand.provider.stream.CallFragment;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.TokenCount;
import dev.chargehand.run.Usage;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads Anthropic's events. They say in their data what they are: their names, which some gateways drop, are not
 * needed.
 */
final class AnthropicEvents implements AnswerEvents {

    private final ResponseBuilder answer;
    private final Thoughts thoughts = new Thoughts(Anthropic.MARK);
    private final Set<Integer> thinking = new HashSet<>();
    private final Set<Integer> withArguments = new HashSet<>();
    private final Set<Integer> calls = new HashSet<>();
    private long input;
    private long output;
    private long cached;
    private long written;

    AnthropicEvents(ResponseBuilder answer) {
        this.answer = answer;
    }

    @Override
    public boolean accept(JsonNode event) {
        int index = event.path("index").asInt(0);
        switch (Anthropic.text(event, "type")) {
            case "message_start" -> {
                answer.begin();
                usage(event.path("message").path("usage"));
            }
            case "content_block_start" -> begin(index, event.path("content_block"));
            case "content_block_delta" -> more(index, event.path("delta"));
            case "content_block_stop" -> end(index);
            case "message_delta" -> {
                finish(Anthropic.text(event.path("delta"), "stop_reason"));
                usage(event.path("usage"));
            }
            case "message_stop" -> {
                return false;
            }
            default -> {
                // ping, and what may come to be
            }
        }
        return true;
    }

    private void begin(int index, JsonNode block) {
        answer.begin();
        switch (Anthropic.text(block, "type")) {
            case "text" -> text(Anthropic.text(block, "text"));
            case "thinking" -> {
                thinking.add(index);
                think(Anthropic.text(block, "thinking"));
                thoughts.signature(Anthropic.text(block, "signature"));
            }
            case "redacted_thinking" -> thoughts.redacted(Anthropic.text(block, "data"));
            case "tool_use" -> {
                calls.add(index);
                thoughts.call();
                JsonNode whole = block.path("input");
                String arguments = whole.isObject() && !whole.isEmpty() ? whole.toString() : "";
                if (!arguments.isEmpty()) {
                    withArguments.add(index);
                }
                answer.call(
                        new CallFragment(index, Anthropic.text(block, "id"), Anthropic.text(block, "name"), arguments));
            }
            default -> {
                // what the provider's own tools do
            }
        }
    }

    private void more(int index, JsonNode delta) {
        switch (Anthropic.text(delta, "type")) {
            case "text_delta" -> text(Anthropic.text(delta, "text"));
            case "thinking_delta" -> think(Anthropic.text(delta, "thinking"));
            case "signature_delta" -> thoughts.signature(Anthropic.text(delta, "signature"));
            case "input_json_delta" -> {
                String fragment = Anthropic.text(delta, "partial_json");
                if (!fragment.isEmpty() && calls.contains(index)) {
                    withArguments.add(index);
                    answer.call(new CallFragment(index, "", "", fragment));
                }
            }
            default -> {
                // citations
            }
        }
    }

    private void text(String more) {
        thoughts.text(more);
        answer.text(more);
    }

    private void think(String words) {
        thoughts.words(words);
        answer.reasoning(words);
    }

    private void end(int index) {
        if (thinking.remove(index)) {
            thoughts.endBlock();
        } else if (calls.contains(index) && withArguments.add(index)) {
            // Nothing at all is how it writes that there are no arguments.
            answer.call(new CallFragment(index, "", "", "{}"));
        }
    }

    private void finish(String reason) {
        switch (reason) {
            case "" -> {}
            case "end_turn", "stop_sequence" -> answer.finish(FinishReason.STOP);
            case "tool_use" -> answer.finish(FinishReason.TOOL_CALLS);
            case "max_tokens", "model_context_window_exceeded" -> answer.finish(FinishReason.LENGTH);
            case "refusal" -> answer.finish(FinishReason.CONTENT_FILTER);
            default -> answer.finish(FinishReason.UNKNOWN);
        }
    }

    /**
     * Its counts of tokens are apart from those that it had cached or put into the cache. Each report replaces earlier
     * ones.
     */
    private void usage(JsonNode usage) {
        if (!usage.isObject()) {
            return;
        }
        input = Trees.count(usage, "input_tokens", input);
        output = Trees.count(usage, "output_tokens", output);
        cached = Trees.count(usage, "cache_read_input_tokens", cached);
        written = Trees.count(usage, "cache_creation_input_tokens", written);
        answer.usage(new Usage(TokenCount.sum(input, cached, written), output, cached, 0));
    }

    @Override
    public @Nullable String state() {
        return thoughts.state();
    }
}
