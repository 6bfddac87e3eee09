package dev.chargehand.bedrock.internal;

import dev.chargehand.langchain4j.internal.Thoughts;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.FinishReason;
import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.stream.CallFragment;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.TokenCount;
import dev.chargehand.run.Usage;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Adds Converse's events up. Not thread-safe; one per answer. */
final class ConverseEvents {

    private final ResponseBuilder answer;
    private final ProviderFaults faults;
    private final Thoughts thoughts = new Thoughts(ConverseRequest.MARK);
    private final Set<Integer> thinking = new HashSet<>();
    private final Set<Integer> calls = new HashSet<>();
    private final Set<Integer> withArguments = new HashSet<>();

    ConverseEvents(ResponseBuilder answer, ProviderFaults faults) {
        this.answer = answer;
        this.faults = faults;
    }

    /**
     * Add an event.
     *
     * @return false if it is the last one, even if more follows
     */
    boolean accept(String type, JsonNode event) {
        int index = event.path("contentBlockIndex").asInt(0);
        switch (type) {
            case "messageStart" -> answer.begin();
            case "contentBlockStart" -> begin(index, event.path("start").path("toolUse"));
            case "contentBlockDelta" -> more(index, event.path("delta"));
            case "contentBlockStop" -> end(index);
            case "messageStop" -> answer.finish(finish(text(event, "stopReason")));
            case "metadata" -> {
                usage(event.path("usage"));
                return false;
            }
            default -> {
                // what may come to be
            }
        }
        return true;
    }

    private void begin(int index, JsonNode call) {
        if (call.isObject()) {
            answer.begin();
            calls.add(index);
            thoughts.call();
            answer.call(new CallFragment(index, text(call, "toolUseId"), text(call, "name"), ""));
        }
    }

    private void more(int index, JsonNode delta) {
        answer.begin();
        thoughts.text(text(delta, "text"));
        answer.text(text(delta, "text"));
        JsonNode thought = delta.path("reasoningContent");
        if (thought.isObject()) {
            thinking.add(index);
            thoughts.words(text(thought, "text"));
            answer.reasoning(text(thought, "text"));
            thoughts.signature(text(thought, "signature"));
            if (thought.has("redactedContent")) {
                thoughts.redacted(text(thought, "redactedContent"));
            }
        }
        String fragment = text(delta.path("toolUse"), "input");
        if (!fragment.isEmpty() && calls.contains(index)) {
            withArguments.add(index);
            answer.call(new CallFragment(index, "", "", fragment));
        }
    }

    private void end(int index) {
        if (thinking.remove(index)) {
            thoughts.endBlock();
        } else if (calls.contains(index) && withArguments.add(index)) {
            // Nothing at all is how models write that there are no arguments.
            answer.call(new CallFragment(index, "", "", "{}"));
        }
    }

    private FinishReason finish(String reason) {
        return switch (reason) {
            case "end_turn", "stop_sequence" -> FinishReason.STOP;
            case "tool_use" -> FinishReason.TOOL_CALLS;
            case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
            case "content_filtered", "guardrail_intervened" -> FinishReason.CONTENT_FILTER;
            case "malformed_tool_use", "malformed_model_output" ->
                throw faults.reported(ProviderError.of("", reason, "", ""));
            default -> FinishReason.UNKNOWN;
        };
    }

    /** Its counts of tokens are apart from those that it had cached or put into the cache. */
    private void usage(JsonNode usage) {
        long cached = count(usage, "cacheReadInputTokens");
        long written = count(usage, "cacheWriteInputTokens");
        answer.usage(new Usage(
                TokenCount.sum(count(usage, "inputTokens"), cached, written), count(usage, "outputTokens"), cached, 0));
    }

    private static long count(JsonNode usage, String field) {
        return Trees.count(usage, field, 0);
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    /** Return what is wanted back with the answer, when it is over; null if nothing. */
    @Nullable
    String state() {
        return thoughts.state();
    }
}
