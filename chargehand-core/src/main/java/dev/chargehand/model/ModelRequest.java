package dev.chargehand.model;

import dev.chargehand.message.Message;
import java.util.List;

/**
 * What is asked of a model.
 *
 * <p>Tool calls and results in the messages are paired. A tool call carries our id and the provider's; an
 * implementation sends the provider's where it is unique in the request, else ours. Nothing here names a thread, a
 * resource or a tenant.
 *
 * @param messages the conversation, instructions first
 * @param tools the tools the model may call
 * @param toolChoice how free it is to call them
 * @param settings how it should answer
 */
public record ModelRequest(
        List<Message> messages, List<ToolDefinition> tools, ToolChoice toolChoice, ModelSettings settings) {

    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
