package dev.chargehand.message;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One message of a conversation.
 *
 * @param id unique within its thread; empty for a message that was made by hand and not stored yet
 * @param role who speaks
 * @param parts what is said, in order
 * @param internal whether this is guidance for the model that is not shown to the user. Feedback of {@code
 *     onIterationComplete} and of scorers is not replayed on a later turn; feedback of {@code onDelegationComplete} is
 *     kept with the thread and replayed
 */
public record Message(String id, Role role, List<Part> parts, boolean internal) {

    public Message {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(role, "role");
        parts = List.copyOf(parts);
    }

    /** Make a user message of plain text. */
    public static Message user(String text) {
        return of(Role.USER, new Part.Text(text));
    }

    /** Make a system message of plain text. */
    public static Message system(String text) {
        return of(Role.SYSTEM, new Part.Text(text));
    }

    /** Make an assistant message of plain text. */
    public static Message assistant(String text) {
        return of(Role.ASSISTANT, new Part.Text(text));
    }

    /** Make a message of parts. */
    public static Message of(Role role, Part... parts) {
        return new Message("", role, List.of(parts), false);
    }

    /** Return this message under an id. */
    @CheckReturnValue
    public Message withId(String newId) {
        return new Message(newId, role, parts, internal);
    }

    /** Return the text parts, joined; empty if there are none. Reasoning and tool results are not text parts. */
    public String text() {
        if (parts.size() == 1 && parts.getFirst() instanceof Part.Text only) {
            return only.text();
        }
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Part.Text more) {
                text.append(more.text());
            }
        }
        return text.toString();
    }

    /** Return the calls of an assistant message, in order. */
    public List<Part.ToolCall> toolCalls() {
        return partsOf(Part.ToolCall.class);
    }

    /** Return the results of a tool message, in call order. */
    public List<Part.ToolResult> toolResults() {
        return partsOf(Part.ToolResult.class);
    }

    /** Return the parts of one kind, in order. */
    public <P extends Part> List<P> partsOf(Class<P> kind) {
        List<P> found = new ArrayList<>(parts.size());
        for (Part part : parts) {
            if (kind.isInstance(part)) {
                found.add(kind.cast(part));
            }
        }
        return List.copyOf(found);
    }

    /** Write this message as JSON, in the form that {@link #fromJson} reads, for exchange with other programs. */
    public Json toJson() {
        return MessageJson.write(this);
    }

    /**
     * Read a message that {@link #toJson} wrote.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it is not one
     */
    public static Message fromJson(Json json) {
        return MessageJson.read(json);
    }
}
