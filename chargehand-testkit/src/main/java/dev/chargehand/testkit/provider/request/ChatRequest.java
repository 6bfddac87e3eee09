package dev.chargehand.testkit.provider.request;

import java.util.List;

/**
 * Hold what a chat-completions request asks for.
 *
 * @param model the model's name; empty where the body has none
 * @param stream whether a stream is wanted
 * @param usageAsked whether {@code stream_options.include_usage} is set
 * @param messages the messages in order
 * @param toolNames the names of the offered functions, in order
 * @param problem why the body could not be read as such a request; empty when it could
 */
public record ChatRequest(
        String model,
        boolean stream,
        boolean usageAsked,
        List<ChatMessage> messages,
        List<String> toolNames,
        String problem) {

    /** Copy the lists. */
    public ChatRequest {
        messages = List.copyOf(messages);
        toolNames = List.copyOf(toolNames);
    }

    static ChatRequest unreadable(String problem) {
        return new ChatRequest("", false, false, List.of(), List.of(), problem);
    }

    /** Return the text of the last message with this role, or an empty text. */
    public String lastText(String role) {
        for (ChatMessage message : messages.reversed()) {
            if (message.role().equals(role)) {
                return message.text();
            }
        }
        return "";
    }

    /** Return the texts of all system messages, one per line. */
    public String systemText() {
        StringBuilder text = new StringBuilder();
        for (ChatMessage message : messages) {
            if (message.isSystem()) {
                text.append(message.text()).append('\n');
            }
        }
        return text.toString().strip();
    }
}
