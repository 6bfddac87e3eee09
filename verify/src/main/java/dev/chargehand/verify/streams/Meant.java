package dev.chargehand.verify.streams;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import java.util.List;

/**
 * What a model means to say, before it is written as a stream.
 *
 * @param text the text, in the pieces in which it is sent
 * @param reasoning the reasoning, likewise
 * @param calls the tool calls
 * @param finish the reason as it stands on the wire; empty if none is sent
 * @param usage the tokens; {@link Usage#NONE} if they are not sent
 */
record Meant(List<String> text, List<String> reasoning, List<RequestedCall> calls, String finish, Usage usage) {

    Meant {
        text = List.copyOf(text);
        reasoning = List.copyOf(reasoning);
        calls = List.copyOf(calls);
    }

    /** Return the answer that a reader must make of it when every byte has arrived. */
    ModelResponse answer() {
        return new ModelResponse(String.join("", text), String.join("", reasoning), calls, finishReason(), usage);
    }

    private FinishReason finishReason() {
        return switch (finish) {
            case "stop" -> FinishReason.STOP;
            case "tool_calls" -> FinishReason.TOOL_CALLS;
            case "length" -> FinishReason.LENGTH;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            case "" -> FinishReason.MISSING;
            default -> FinishReason.UNKNOWN;
        };
    }
}
