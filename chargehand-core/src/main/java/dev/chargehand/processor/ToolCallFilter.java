package dev.chargehand.processor;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Leaves calls of tools, with their results, out of what a model sees of earlier turns.
 *
 * <p>Before each model call, as an input processor. Earlier turns are those before the current task: the calls of the
 * run itself stay, since a model that does not see the result of a call repeats it. The stored conversation keeps
 * everything. Immutable.
 */
public final class ToolCallFilter implements InputStepProcessor {

    private final Set<String> tools;

    private ToolCallFilter(Set<String> tools) {
        this.tools = Set.copyOf(tools);
    }

    /** Leave out the calls of every tool and sub-agent. */
    public static ToolCallFilter all() {
        return new ToolCallFilter(Set.of());
    }

    /**
     * Leave out the calls of some tools, by name.
     *
     * @throws ConfigurationException if none is named
     */
    public static ToolCallFilter of(String... tools) {
        if (tools.length == 0) {
            throw new ConfigurationException("Name the tools whose calls are left out, or use ToolCallFilter.all().");
        }
        return new ToolCallFilter(Set.copyOf(List.of(tools)));
    }

    @Override
    public String name() {
        return "tool-call-filter";
    }

    @Override
    public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) {
        int task = messages.size();
        do {
            task--;
        } while (task >= 0 && messages.get(task).role() != Role.USER);
        List<Message> seen = new ArrayList<>();
        Set<String> gone = new HashSet<>();
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            Message rest = i < task ? filtered(message, gone) : message;
            if (!rest.parts().isEmpty() || message.parts().isEmpty()) {
                seen.add(rest);
            }
        }
        return seen.equals(messages) ? Processed.unchanged() : Processed.rewritten(seen);
    }

    private Message filtered(Message message, Set<String> gone) {
        List<Part> parts = new ArrayList<>();
        for (Part part : message.parts()) {
            switch (part) {
                case Part.ToolCall call -> {
                    if (tools.isEmpty() || tools.contains(call.name())) {
                        gone.add(call.callId());
                    } else {
                        parts.add(call);
                    }
                }
                case Part.ToolResult result -> {
                    if (!gone.contains(result.callId())) {
                        parts.add(result);
                    }
                }
                case Part.Text text -> parts.add(text);
                case Part.Reasoning reasoning -> parts.add(reasoning);
                case Part.Image image -> parts.add(image);
            }
        }
        boolean onlyReasoning = parts.stream().allMatch(Part.Reasoning.class::isInstance);
        return new Message(message.id(), message.role(), onlyReasoning ? List.of() : parts, message.internal());
    }
}
