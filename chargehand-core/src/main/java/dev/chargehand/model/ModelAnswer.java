package dev.chargehand.model;

import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.run.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model's whole answer to one request.
 *
 * <p>Unpaired surrogates in it are replaced by U+FFFD, as in messages.
 *
 * @param text the text; empty if there is none
 * @param reasoning what the model let us see of its reasoning; empty if nothing
 * @param toolCalls the calls, in order
 * @param finish why the model stopped
 * @param usage tokens as the provider reported them; {@link Usage#NONE} if it did not
 * @param providerState what the provider wants back with this answer when the conversation goes on, such as signatures of
 *     its reasoning, in a form that only the implementation reads; null if nothing. It comes back in the answer's
 *     {@link dev.chargehand.message.Part.Reasoning}
 */
public record ModelAnswer(
        String text,
        String reasoning,
        List<RequestedCall> toolCalls,
        FinishReason finish,
        Usage usage,
        @Nullable String providerState) {

    public ModelAnswer {
        text = WellFormed.text(text);
        reasoning = WellFormed.text(reasoning);
        toolCalls = List.copyOf(toolCalls);
    }

    /** Makes an answer with which the provider wants nothing back. */
    public ModelAnswer(String text, String reasoning, List<RequestedCall> toolCalls, FinishReason finish, Usage usage) {
        this(text, reasoning, toolCalls, finish, usage, null);
    }

    /**
     * A tool call that a model asks for.
     *
     * @param providerId the provider's id of it; null or empty if it gave none
     * @param name the tool's name as the model wrote it
     * @param arguments the arguments as the model wrote them, JSON or not; an empty or blank text and {@code null} mean no
     *     arguments and become <code>{}</code>
     */
    public record RequestedCall(@Nullable String providerId, String name, String arguments) {

        private static final String NONE = "{}";

        public RequestedCall {
            name = WellFormed.text(name);
            arguments = isNone(arguments) ? NONE : WellFormed.text(arguments);
        }

        /** A user's model may hand in null, whatever the type says. */
        private static boolean isNone(@Nullable String arguments) {
            return arguments == null || arguments.isBlank() || arguments.strip().equals("null");
        }
    }

    /** Returns this answer with another text. */
    public ModelAnswer withText(String other) {
        return new ModelAnswer(other, reasoning, toolCalls, finish, usage, providerState);
    }

    /** Returns this answer with another reasoning. What the provider wants back with it belongs to its own words only. */
    public ModelAnswer withReasoning(String other) {
        return new ModelAnswer(text, other, toolCalls, finish, usage, other.equals(reasoning) ? providerState : null);
    }

    /** Returns this answer with other calls. */
    public ModelAnswer withToolCalls(List<RequestedCall> other) {
        return new ModelAnswer(text, reasoning, other, finish, usage, providerState);
    }

    /** Makes an answer of text only. */
    public static ModelAnswer text(String text, Usage usage) {
        return new ModelAnswer(text, "", List.of(), FinishReason.STOP, usage);
    }
}
