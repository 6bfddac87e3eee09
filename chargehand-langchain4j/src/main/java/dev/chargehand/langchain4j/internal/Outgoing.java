package dev.chargehand.langchain4j.internal;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way to the library.
 *
 * @param request what is called
 * @param conversation its messages, in the library's form
 * @param format the schema of the answer, if the provider receives it in its own format; else null
 */
public record Outgoing(
        ModelRequest request,
        Conversation conversation,
        @Nullable JsonSchema format) {

    /** Return what the model is set to. */
    public ModelSettings settings() {
        return request.settings();
    }

    /** Return the tools that may be called. */
    public List<ToolDefinition> tools() {
        return request.toolChoice() instanceof ToolChoice.None ? List.of() : request.tools();
    }

    /** Return whether one of the tools has to be called. */
    public boolean mustCall() {
        return !tools().isEmpty()
                && (request.toolChoice() instanceof ToolChoice.Required
                        || request.toolChoice() instanceof ToolChoice.Named);
    }
}
