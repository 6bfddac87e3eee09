package dev.chargehand.message;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.WellFormed;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a message.
 *
 * <p>Unpaired surrogates in a text are replaced by U+FFFD when a part is made, so that what is stored, sent and shown
 * is the same text everywhere.
 *
 * <p>Later versions add kinds of parts. {@link #type()} is the contract: the stable name of the kind. A {@code switch}
 * over the types needs a {@code default} branch.
 */
public sealed interface Part {

    /** Return the stable, kebab-case name of the kind: {@code text}, {@code reasoning}, {@code image}, and so on. */
    default String type() {
        return switch (this) {
            case Text ignored -> "text";
            case Reasoning ignored -> "reasoning";
            case Image ignored -> "image";
            case ToolCall ignored -> "tool-call";
            case ToolResult ignored -> "tool-result";
        };
    }

    /** Plain text. */
    record Text(String text) implements Part {
        public Text {
            text = WellFormed.text(Objects.requireNonNull(text, "A text must not be null."));
        }
    }

    /**
     * The reasoning text that a model exposes; never sent back as an answer.
     *
     * @param text the reasoning; empty if we were shown none
     * @param providerState what the provider wants back with the message, see
     *     {@link dev.chargehand.model.ModelResponse#providerState}; null if nothing
     */
    record Reasoning(String text, @Nullable String providerState) implements Part {
        public Reasoning {
            text = WellFormed.text(text);
        }

        /** Make reasoning of which the provider wants nothing back. */
        public Reasoning(String text) {
            this(text, null);
        }
    }

    /**
     * An image.
     *
     * @param mediaType such as {@code image/png}
     * @param url an {@code https:} or {@code data:} URL
     */
    record Image(String mediaType, String url) implements Part {
        public Image {
            if (!url.startsWith("https://") && !url.startsWith("data:")) {
                throw new ConfigurationException("An image needs an https: or data: URL, but this one starts with '"
                        + url.substring(0, Math.min(12, url.length())) + "'.");
            }
        }
    }

    /**
     * A model's call of a tool.
     *
     * @param callId our id of the call, unique over all runs but a run and its forks
     * @param providerId the id the provider gave it, kept for the wire; null or empty if it gave none
     * @param name the tool's name as the model wrote it
     * @param arguments the arguments as the model wrote them, JSON or not
     */
    record ToolCall(String callId, @Nullable String providerId, String name, String arguments) implements Part {
        public ToolCall {
            arguments = WellFormed.text(arguments);
        }
    }

    /**
     * The result of a call, as the model sees it.
     *
     * @param callId our id of the call
     * @param toolName the tool's name
     * @param output text or JSON text; what went wrong if {@code error}
     * @param error whether the call failed, was rejected or never ran
     */
    record ToolResult(String callId, String toolName, String output, boolean error) implements Part {
        public ToolResult {
            output = WellFormed.text(output);
        }
    }
}
