package dev.chargehand.internal.agent.delegation;

import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
        List<Message> said = spoken(Stream.of(
                                parent.threadTail(),
                                parent.started().context(),
                                parent.started().input(),
                                Transcript.ofSteps(parent))
                        .flatMap(List::stream)
                        .filter(message -> !message.internal() || !context.filterInternalMessages())
                        .toList())
                .stream()
                .filter(message -> filter == null || filter.test(message))
                .toList();
        int most = context.mostMessages() == null ? said.size() : context.mostMessages();
        return said.subList(Math.max(0, said.size() - most), said.size());
    }

    /** Return only what users and assistants said; feedback is passed on as a user's word, never as an instruction. */
    static List<Message> spoken(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.role() == Role.USER
                        || message.role() == Role.ASSISTANT
                        || (message.role() == Role.SYSTEM && message.internal()))
                .map(ForwardedMessages::saidOnly)
                .filter(message -> !message.parts().isEmpty())
                .toList();
    }

    private static Message saidOnly(Message message) {
        if (message.role() != Role.SYSTEM && message.parts().stream().allMatch(ForwardedMessages::isSaid)) {
            return message;
        }
        List<Part> said =
                message.parts().stream().filter(ForwardedMessages::isSaid).toList();
        Role role = message.role() == Role.SYSTEM ? Role.USER : message.role();
        return new Message(message.id(), role, said, message.internal());
    }

    private static boolean isSaid(Part part) {
        return part instanceof Part.Text || part instanceof Part.Image;
    }
}
