package dev.chargehand.internal.agent;

import dev.chargehand.internal.agent.delegation.ChildResult;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.message.Fence;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The conversation as a request shows it to a model; nothing of this is stored.
 *
 * <p>No result and no feedback is longer than the result of a tool may be, wherever it was made, and the words of
 * sub-agents stand between fences: they are data. A typed output stays JSON. One per run, used by its thread only, and
 * in one of both ways.
 */
public final class ModelView {

    /** What may be said in addition to a text that was cut already, and must not be cut again for it. */
    private static final long NOTES = 1_024;

    private final Toolbox toolbox;
    private final long mostBytes;

    /** The conversation that was shown last, and how: it grows at its end, so of the next one little is new. */
    private List<Message> seen = List.of();

    private List<Message> shown = List.of();

    public ModelView(RunScope run) {
        this.toolbox = run.toolbox();
        this.mostBytes = run.limit(Limit.TOOL_RESULT_BYTES);
    }

    /** Return the conversation within bounds. */
    public List<Message> bounded(List<Message> messages) {
        return shown(messages, this::bounded);
    }

    /** Return the conversation within bounds, with the words of sub-agents between fences. */
    List<Message> fenced(List<Message> messages) {
        return shown(messages, message -> fenced(bounded(message)));
    }

    /** The messages of closed steps stay the same objects, so nothing of them is compared. */
    @SuppressWarnings("ReferenceEquality")
    private List<Message> shown(List<Message> messages, UnaryOperator<Message> view) {
        List<Message> next = new ArrayList<>(messages.size());
        for (Message message : messages) {
            int at = next.size();
            next.add(at < seen.size() && seen.get(at) == message ? shown.get(at) : view.apply(message));
        }
        seen = List.copyOf(messages);
        shown = Collections.unmodifiableList(next);
        return shown;
    }

    private Message bounded(Message message) {
        boolean isBounded = message.role() == Role.TOOL || (message.internal() && !Transcript.holdsMemory(message));
        return isBounded ? changed(message, this::bounded) : message;
    }

    private Message fenced(Message message) {
        return message.role() == Role.TOOL ? changed(message, this::fenced) : message;
    }

    private static Message changed(Message message, UnaryOperator<Part> change) {
        List<Part> parts = new ArrayList<>(message.parts());
        parts.replaceAll(change);
        return parts.equals(message.parts())
                ? message
                : new Message(message.id(), message.role(), parts, message.internal());
    }

    private Part bounded(Part part) {
        if (part instanceof Part.Text text) {
            String shown = within(text.text());
            return shown.equals(text.text()) ? part : new Part.Text(shown);
        }
        return part instanceof Part.ToolResult result ? withOutput(result, within(result.output())) : part;
    }

    private String within(String text) {
        return Excerpt.of(text, mostBytes + NOTES) == null ? text : Excerpt.within(text, mostBytes);
    }

    private Part fenced(Part part) {
        if (!(part instanceof Part.ToolResult result) || !result.toolName().startsWith(CallState.AGENT_PREFIX)) {
            return part;
        }
        if (result.error()) {
            return withOutput(result, quoting(result));
        }
        return isTyped(result.toolName()) ? part : withOutput(result, around(result, 0));
    }

    /** Of an error, only what it quotes of the sub-agent is data; the rest is for the model to heed. */
    private static String quoting(Part.ToolResult error) {
        for (String before : List.of(ChildResult.PARTIAL, ChildResult.SAID)) {
            int at = error.output().indexOf(before);
            if (at >= 0) {
                return around(error, at + before.length());
            }
        }
        return error.output();
    }

    private static String around(Part.ToolResult result, int from) {
        String output = result.output();
        int to = Transcript.startOfReference(output);
        String agent = result.toolName().substring(CallState.AGENT_PREFIX.length());
        String text = output.substring(from, Math.max(from, to));
        return output.substring(0, from)
                + Fence.around(result.error() ? "error" : "result", "of=\"agent " + agent + "\"", text)
                + output.substring(Math.max(from, to));
    }

    private boolean isTyped(String toolName) {
        return toolbox.callees().get(toolName) instanceof Toolbox.AgentCallee callee
                && callee.agent().delegation().output() != null;
    }

    private static Part withOutput(Part.ToolResult result, String output) {
        return output.equals(result.output())
                ? result
                : new Part.ToolResult(result.callId(), result.toolName(), output, result.error());
    }
}
