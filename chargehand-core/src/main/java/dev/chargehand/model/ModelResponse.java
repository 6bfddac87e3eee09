package dev.chargehand.model;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model's whole answer to one request.
 *
 * <p>Unpaired surrogates in it are replaced by U+FFFD, as in messages.
 *
 * @param text the text; empty if there is none
 * @param reasoning the reasoning text that the model exposes; empty if none
 * @param toolCalls the calls, in order
 * @param finish why the model stopped
 * @param usage tokens as the provider reported them; {@link Usage#NONE} if it did not
 * @param providerState what the provider wants back with this answer when the conversation continues, such as
 *     signatures of its reasoning, in a form that only the implementation reads; null if nothing. It comes back in the
 *     answer's
 *     {@link dev.chargehand.message.Part.Reasoning}
 */
public record ModelResponse(
        String text,
        String reasoning,
        List<RequestedCall> toolCalls,
        FinishReason finish,
        Usage usage,
        @Nullable String providerState) {

    /** Check the parts of an answer, which a model of the application may have left out: throws {@link NullPointerException} that names the part. */
    public ModelResponse {
        text = WellFormed.text(Objects.requireNonNull(text, "The text of an answer is null; give an empty one."));
        reasoning = WellFormed.text(
                Objects.requireNonNull(reasoning, "The reasoning of an answer is null; give an empty one."));
        toolCalls =
                List.copyOf(Objects.requireNonNull(toolCalls, "The calls of an answer are null; give an empty list."));
        Objects.requireNonNull(
                finish, "The finish reason of an answer is null; give FinishReason.STOP, or another one.");
        Objects.requireNonNull(usage, "The usage of an answer is null; give Usage.NONE.");
    }

    /** Make an answer with which the provider wants nothing back. */
    public ModelResponse(
            String text, String reasoning, List<RequestedCall> toolCalls, FinishReason finish, Usage usage) {
        this(text, reasoning, toolCalls, finish, usage, null);
    }

    /**
     * A tool call that a model asks for.
     *
     * @param providerId the provider's id of it; null or empty if it gave none
     * @param name the tool's name as the model wrote it
     * @param arguments the arguments as the model wrote them, JSON or not; an empty or blank text and {@code null} mean
     *     no arguments and become <code>{}</code>
     */
    public record RequestedCall(@Nullable String providerId, String name, String arguments) {

        private static final String NONE = "{}";

        public RequestedCall {
            name = WellFormed.text(Objects.requireNonNull(name, "A call needs the name of its tool."));
            arguments = isNone(arguments) ? NONE : WellFormed.text(arguments);
        }

        /** A user's model may pass null in spite of the type. */
        private static boolean isNone(@Nullable String arguments) {
            return arguments == null || arguments.isBlank() || arguments.strip().equals("null");
        }
    }

    /** Return this answer with another text. */
    @CheckReturnValue
    public ModelResponse withText(String other) {
        return new ModelResponse(other, reasoning, toolCalls, finish, usage, providerState);
    }

    /** Return this answer with another reasoning. The provider's state belongs to the original reasoning only. */
    @CheckReturnValue
    public ModelResponse withReasoning(String other) {
        return new ModelResponse(text, other, toolCalls, finish, usage, other.equals(reasoning) ? providerState : null);
    }

    /** Return this answer with other calls. */
    @CheckReturnValue
    public ModelResponse withToolCalls(List<RequestedCall> other) {
        return new ModelResponse(text, reasoning, other, finish, usage, providerState);
    }

    /** Make an answer of text only. */
    public static ModelResponse text(String text, Usage usage) {
        return new ModelResponse(text, "", List.of(), FinishReason.STOP, usage);
    }
}
