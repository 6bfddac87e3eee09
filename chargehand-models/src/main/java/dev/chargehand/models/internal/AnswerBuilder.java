package dev.chargehand.models.internal;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.run.Usage;
import org.jspecify.annotations.Nullable;

/** Adds what an answer brings up to a whole, and tells it as deltas at once. Not thread-safe; one per answer. */
public final class AnswerBuilder {

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final CallAssembler calls;
    private final ModelCall call;
    private final WireLimits limits;
    private final Faults faults;
    private @Nullable FinishReason finish;
    private Usage usage = Usage.NONE;
    private boolean begun;
    private long contentChars;

    /** Makes the builder of an answer with the limits that every answer has. */
    public AnswerBuilder(ModelCall call, Faults faults) {
        this(call, WireLimits.DEFAULT, faults);
    }

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
        begun |= chunk.hasChoice;
        if (chunk.usage != null) {
            usage = chunk.usage;
        }
        reasoning(chunk.reasoning);
        text(chunk.text);
        chunk.calls.forEach(this::call);
        if (!chunk.finish.isEmpty()) {
            finish = reason(chunk.finish);
        }
    }

    /** Notes that there is an answer, even if it turns out to be empty. */
    public void begin() {
        begun = true;
    }

    /** Adds reasoning. */
    public void reasoning(String more) {
        if (!more.isEmpty()) {
            count(more);
            reasoning.append(more);
            call.delta(new ModelDelta.Reasoning(more));
        }
    }

    /** Adds text. */
    public void text(String more) {
        if (!more.isEmpty()) {
            count(more);
            text.append(more);
            call.delta(new ModelDelta.Text(more));
        }
    }

    /** Adds a tool call, or a piece of one. */
    public void call(CallFragment fragment) {
        count(fragment.arguments());
        calls.accept(fragment, call);
    }

    /** Sets why the model stopped. */
    public void finish(FinishReason reason) {
        finish = reason;
    }

    /** Sets the tokens that were used. */
    public void usage(Usage value) {
        usage = value;
    }

    /** Tells whether the model said why it stopped: then the answer is whole, whatever happens to the connection. */
    public boolean isFinished() {
        return finish != null;
    }

    /**
     * Returns the answer after all of it was added.
     *
     * @throws dev.chargehand.error.ModelException if there was nothing in it at all
     */
    ModelAnswer build() {
        return build(null);
    }

    /**
     * Returns the answer after all of it was added.
     *
     * @param providerState what the provider wants back with it; null if nothing
     * @throws dev.chargehand.error.ModelException if there was nothing in it at all
     */
    public ModelAnswer build(@Nullable String providerState) {
        if (!begun) {
            throw faults.empty();
        }
        calls.finish(call);
        return new ModelAnswer(
                text.toString(),
                reasoning.toString(),
                calls.calls(),
                finish == null ? FinishReason.MISSING : finish,
                usage,
                providerState);
    }

    private void count(String more) {
        contentChars += more.length();
        if (contentChars > limits.contentChars()) {
            throw faults.tooLarge("the answer", limits.contentChars(), "characters");
        }
    }

    private static FinishReason reason(String finish) {
        return switch (finish) {
            case "stop", "eos" -> FinishReason.STOP;
            case "tool_calls", "function_call" -> FinishReason.TOOL_CALLS;
            case "length", "model_length" -> FinishReason.LENGTH;
            case "content_filter" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.UNKNOWN;
        };
    }
}
