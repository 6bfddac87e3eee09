package dev.chargehand.internal.loop;

import dev.chargehand.delegation.SubAgentContext;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes what a sub-agent sees of the conversation above it: what was said, without instructions and without tools. */
public final class Forwarding {

    private Forwarding() {}

    /** Returns what a delegation forwards: what its filters chose, or what the settings say if there was no filter. */
    public static List<Message> context(State parent, Fact.ChildLink child) {
        return child.forwarded() == null ? of(parent, null) : child.forwarded();
    }

    /** Returns the conversation up to the delegating step, as the settings and the filter forward it. */
    static List<Message> of(State parent, @Nullable Predicate<Message> filter) {
        SubAgentContext context = parent.started().settings().delegation().subAgentContext();
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

    /** Returns only what users and assistants said; feedback is passed on as a user's word, never as an instruction. */
    static List<Message> spoken(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.role() == Role.USER
                        || message.role() == Role.ASSISTANT
                        || (message.role() == Role.SYSTEM && message.internal()))
                .map(Forwarding::saidOnly)
                .filter(message -> !message.parts().isEmpty())
                .toList();
    }

    private static Message saidOnly(Message message) {
        if (message.role() != Role.SYSTEM && message.parts().stream().allMatch(Forwarding::isSaid)) {
            return message;
        }
        List<Part> said = message.parts().stream().filter(Forwarding::isSaid).toList();
        Role role = message.role() == Role.SYSTEM ? Role.USER : message.role();
        return new Message(message.id(), role, said, message.internal());
    }

    private static boolean isSaid(Part part) {
        return part instanceof Part.Text || part instanceof Part.Image;
    }
}
