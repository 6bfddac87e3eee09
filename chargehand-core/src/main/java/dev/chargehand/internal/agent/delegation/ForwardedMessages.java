package dev.chargehand.internal.agent.delegation;

import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes what a sub-agent sees of the conversation above it: what was said, without instructions and without tools. */
public final class ForwardedMessages {

    private ForwardedMessages() {}

    /** Return what a delegation forwards: what its filters chose, or what the settings say if there was no filter. */
    public static List<Message> context(ConversationState parent, ChildLink child) {
        return child.forwarded() == null ? of(parent, null) : child.forwarded();
    }

    /** Return the conversation up to the delegating step, as the settings and the filter forward it. */
    static List<Message> of(ConversationState parent, @Nullable Predicate<Message> filter) {
        SubAgentContext context = parent.started().settings().get(Options.SUB_AGENT_CONTEXT);
        if (context.mostMessages() != null && context.mostMessages() == 0) {
            return List.of();
        }
        List<Message> all = new ArrayList<>(parent.threadTail());
        all.addAll(parent.started().context());
        all.addAll(parent.started().input());
        all.addAll(Transcript.ofSteps(parent));
        if (context.filterInternalMessages()) {
            all.removeIf(Message::internal);
        }
        List<Message> said = filter == null
                ? spoken(all)
                : spoken(all).stream().filter(filter).toList();
        int most = context.mostMessages() == null ? said.size() : context.mostMessages();
        return said.subList(Math.max(0, said.size() - most), said.size());
    }

    /** Return only what users and assistants said; feedback is passed on as a user's word, never as an instruction. */
    static List<Message> spoken(List<Message> messages) {
        List<Message> spoken = new ArrayList<>();
        for (Message message : messages) {
            boolean counts = message.role() == Role.USER
                    || message.role() == Role.ASSISTANT
                    || (message.role() == Role.SYSTEM && message.internal());
            if (counts) {
                Message said = saidOnly(message);
                if (!said.parts().isEmpty()) {
                    spoken.add(said);
                }
            }
        }
        return List.copyOf(spoken);
    }

    private static Message saidOnly(Message message) {
        List<Part> said = new ArrayList<>();
        for (Part part : message.parts()) {
            if (part instanceof Part.Text || part instanceof Part.Image) {
                said.add(part);
            }
        }
        if (message.role() != Role.SYSTEM && said.size() == message.parts().size()) {
            return message;
        }
        Role role = message.role() == Role.SYSTEM ? Role.USER : message.role();
        return new Message(message.id(), role, said, message.internal());
    }
}
