package dev.chargehand.provider.stream;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.run.Usage;
import org.jspecify.annotations.Nullable;

/** Assembles an answer from its pieces, and emits them as deltas at once. Not thread-safe; one per answer. */
public final class ResponseBuilder {

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final CallAssembler calls;
    private final ModelCall call;
    private final WireLimits limits;
    private final ProviderFaults faults;
    private @Nullable FinishReason finish;
    private Usage usage = Usage.NONE;
    private boolean begun;
    private long contentChars;

    /** Make the builder of an answer with the limits that every answer has. */
    public ResponseBuilder(ModelCall call, ProviderFaults faults) {
        this(call, WireLimits.DEFAULT, faults);
    }

    public ResponseBuilder(ModelCall call, WireLimits limits, ProviderFaults faults) {
        this.calls = new CallAssembler(limits, faults);
        this.call = call;
        this.limits = limits;
        this.faults = faults;
    }

    /** Add a chunk; throws what its error object says if it has one. */
    public void accept(Chunk chunk) {
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
        if (isFailure(chunk.finish)) {
            throw faults.reported(ProviderError.of(chunk.finish, "", "", ""));
        }
        if (!chunk.finish.isEmpty()) {
            finish = reason(chunk.finish);
        }
    }

    /** Note that there is an answer, even if it turns out to be empty. */
    public void begin() {
        begun = true;
    }

    /** Add reasoning. */
    public void reasoning(String more) {
        if (!more.isEmpty()) {
            count(more);
            reasoning.append(more);
            call.delta(new ModelDelta.Reasoning(more));
        }
    }

    /** Add text. */
    public void text(String more) {
        if (!more.isEmpty()) {
            count(more);
            text.append(more);
            call.delta(new ModelDelta.Text(more));
        }
    }

    /** Add a tool call, or a piece of one. */
    public void call(CallFragment fragment) {
        count(fragment.arguments());
        calls.accept(fragment, call);
    }

    /** Set why the model stopped. */
    public void finish(FinishReason reason) {
        finish = reason;
    }

    /** Set the tokens that were used. */
    public void usage(Usage value) {
        usage = value;
    }

    /** Return whether the model sent a finish reason: then the answer is complete, regardless of the connection. */
    public boolean isFinished() {
        return finish != null;
    }

    /**
     * Return the answer after all of it was added.
     *
     * @throws dev.chargehand.error.ModelException if there was nothing in it at all
     */
    public ModelResponse build() {
        return build(null);
    }

    /**
     * Return the answer after all of it was added.
     *
     * @param providerState what the provider wants back with it; null if nothing
     * @throws dev.chargehand.error.ModelException if there was nothing in it at all
     */
    public ModelResponse build(@Nullable String providerState) {
        if (!begun) {
            throw faults.empty();
        }
        calls.finish(call);
        return new ModelResponse(
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

    /** Return whether a service reports by it that it could not finish: DeepSeek; Mistral and OpenRouter. */
    private static boolean isFailure(String finish) {
        return finish.equals("insufficient_system_resource") || finish.equals("error");
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
