package dev.chargehand.testkit.provider.request;

import java.util.List;

/**
 * Hold one message of a request.
 *
 * @param role system, developer, user, assistant, tool, or the client's own text
 * @param text the content; the text parts put together where the content is a list, empty where there is none
 * @param toolCalls the calls of an assistant message
 * @param toolCallId the call that a tool message answers; empty where there is none
 */
public record ChatMessage(String role, String text, List<FunctionCall> toolCalls, String toolCallId) {

    /** Copy the calls. */
    public ChatMessage {
        toolCalls = List.copyOf(toolCalls);
    }

    /** Report whether this message instructs: role system, or its newer name developer. */
    public boolean isSystem() {
        return role.equals("system") || role.equals("developer");
    }
}
