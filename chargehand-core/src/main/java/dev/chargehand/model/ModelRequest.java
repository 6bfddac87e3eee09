package dev.chargehand.model;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of a model call.
 *
 * <p>Tool calls and results in the messages are paired. A tool call carries our id and the provider's; an
 * implementation sends the provider's where it is unique in the request, else ours. Nothing here names a thread, a
 * resource or a tenant.
 *
 * @param messages the conversation, instructions first
 * @param tools the tools the model may call
 * @param toolChoice how free it is to call them
 * @param settings how it should answer
 * @param output what its answer is to fit, unless it calls tools; null for any text. A model that has no format for it
 *     ({@link Model#hasFormatFor}) ignores it: its messages say it in words
 */
public record ModelRequest(
        List<Message> messages,
        List<ToolDefinition> tools,
        ToolChoice toolChoice,
        ModelSettings settings,
        @Nullable JsonSchema output) {

    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /** Make a request for any text. */
    public ModelRequest(
            List<Message> messages, List<ToolDefinition> tools, ToolChoice toolChoice, ModelSettings settings) {
        this(messages, tools, toolChoice, settings, null);
    }

    /** Return this request with other messages. */
    @CheckReturnValue
    public ModelRequest withMessages(List<Message> others) {
        return new ModelRequest(others, tools, toolChoice, settings, output);
    }
}
