package dev.chargehand.models.internal;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.run.Usage;

/** Adds chunks up to an answer, and tells their deltas as they come. Not thread-safe; one per answer. */
final class AnswerBuilder {

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final CallAssembler calls;
    private final ModelCall call;
    private final WireLimits limits;
    private final Faults faults;
    private String finish = "";
    private Usage usage = Usage.NONE;
    private boolean hasChoice;
    private long contentChars;

    AnswerBuilder(ModelCall call, WireLimits limits, Faults faults) {
        this.calls = new CallAssembler(limits, faults);
        this.call = call;
        this.limits = limits;
        this.faults = faults;
    }

    /** Adds a chunk; throws what its error object says if it has one. */
    void accept(Chunk chunk) {
        if (chunk.error != null) {
            throw faults.reported(chunk.error);
        }
        hasChoice |= chunk.hasChoice;
        if (chunk.usage != null) {
            usage = chunk.usage;
        }
        if (!chunk.reasoning.isEmpty()) {
            count(chunk.reasoning);
            reasoning.append(chunk.reasoning);
            call.delta(new ModelDelta.Reasoning(chunk.reasoning));
        }
        if (!chunk.text.isEmpty()) {
            count(chunk.text);
            text.append(chunk.text);
            call.delta(new ModelDelta.Text(chunk.text));
        }
        for (CallFragment fragment : chunk.calls) {
            count(fragment.arguments());
            calls.accept(fragment, call);
        }
        if (!chunk.finish.isEmpty()) {
            finish = chunk.finish;
        }
    }

    /** Tells whether the model said why it stopped: then the answer is whole, whatever happens to the connection. */
    boolean isFinished() {
        return !finish.isEmpty();
    }

    /**
     * Returns the answer after its last chunk.
     *
     * @throws dev.chargehand.error.ModelException if there was nothing in it at all
     */
    ModelAnswer build() {
        if (!hasChoice) {
            throw faults.empty();
        }
        calls.finish(call);
        return new ModelAnswer(text.toString(), reasoning.toString(), calls.calls(), reason(finish), usage);
    }

    private void count(String more) {
        contentChars += more.length();
        if (contentChars > limits.contentChars()) {
            throw faults.tooLarge("the answer", limits.contentChars(), "characters");
        }
    }

    private static FinishReason reason(String finish) {
        return switch (finish) {
            case "" -> FinishReason.MISSING;
            case "stop", "eos" -> FinishReason.STOP;
            case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
            case "length", "model_length" -> FinishReason.LENGTH;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.UNKNOWN;
        };
    }
}
