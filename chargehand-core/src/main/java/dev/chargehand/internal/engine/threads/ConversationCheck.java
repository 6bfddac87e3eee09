package dev.chargehand.internal.engine.threads;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks messages that an application brings: a model that is sent them must find a whole conversation. */
final class ConversationCheck {

    private static final int MOST = 1_000;

    /** The kinds of parts that a message of each role may have, as models read them. */
    private static final Map<Role, List<String>> PARTS = Map.of(
            Role.USER, List.of("text", "image"),
            Role.ASSISTANT, List.of("text", "reasoning", "image", "tool-call"),
            Role.TOOL, List.of("tool-result"));

    private ConversationCheck() {}

    /**
     * Check messages.
     *
     * @throws ConfigurationException if there are none or too many, if one is of the system, has no parts, is blank or has a part that
     *     its role does not have, or if a call of a tool has no result or a result no call
     */
    static void require(List<Message> messages) {
        Objects.requireNonNull(messages, "The messages for a thread must not be null.");
        if (messages.isEmpty() || messages.size() > MOST) {
            throw new ConfigurationException("One call appends 1 to " + MOST + " messages to a thread, not "
                    + messages.size() + "; append more with several calls.");
        }
        Set<String> open = new HashSet<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < messages.size(); i++) {
            Message message =
                    Objects.requireNonNull(messages.get(i), "No message for a thread may be null, but one of them is.");
            requireParts(message, i);
            if (!message.id().isEmpty() && !ids.add(message.id())) {
                throw rejected(i, "has the id '" + message.id() + "' of another one");
            }
            if (message.role() != Role.TOOL && !open.isEmpty()) {
                throw rejected(
                        i, "comes before the result of call '" + open.iterator().next() + "'");
            }
            for (Part.ToolCall call : message.toolCalls()) {
                if (!open.add(call.callId())) {
                    throw rejected(i, "has two calls '" + call.callId() + "'");
                }
            }
            for (Part.ToolResult result : message.toolResults()) {
                if (!open.remove(result.callId())) {
                    throw rejected(i, "has a result of call '" + result.callId() + "', which is not open");
                }
            }
        }
        if (!open.isEmpty()) {
            throw rejected(
                    messages.size() - 1,
                    "is the last one, and call '" + open.iterator().next() + "' has no result");
        }
    }

    private static void requireParts(Message message, int index) {
        if (message.role() == Role.SYSTEM) {
            throw rejected(index, "is of the system; instructions belong to the agent");
        }
        if (message.parts().isEmpty()) {
            throw rejected(index, "has no parts");
        }
        if (message.parts().stream()
                .allMatch(part -> part instanceof Part.Text text && text.text().isBlank())) {
            throw rejected(index, "is blank; leave it out");
        }
        List<String> allowed = PARTS.getOrDefault(message.role(), List.of());
        for (Part part : message.parts()) {
            if (!allowed.contains(part.type())) {
                throw rejected(
                        index,
                        "is of the " + message.role().name().toLowerCase(Locale.ROOT) + " and has a part '"
                                + part.type() + "'; it may have: " + String.join(", ", allowed));
            }
        }
    }

    private static ConfigurationException rejected(int index, String why) {
        return new ConfigurationException("The messages are not a conversation that can be continued: message " + index
                + " (the first is 0) " + why + ".");
    }
}
