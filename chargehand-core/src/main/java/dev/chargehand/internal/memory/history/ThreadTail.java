package dev.chargehand.internal.memory.history;

import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an agent remembers of a thread.
 *
 * <p>A tool call is never split from its result: where the tail starts between the two, or a stored thread lacks one of
 * them, the other is left out, since a provider rejects a conversation that has only one.
 */
public final class ThreadTail {

    private ThreadTail() {}

    public static List<Message> read(Store store, @Nullable ThreadLink thread, int lastMessages) {
        if (thread == null || thread.position() == 0 || lastMessages == 0) {
            return List.of();
        }
        return paired(said(store, thread, lastMessages));
    }

    /** Return the last messages of a part of a thread; see {@link #read}. */
    public static List<Message> of(List<Message> messages, int lastMessages) {
        List<Message> said = messages.stream()
                .filter(message -> !Transcript.holdsScores(message))
                .toList();
        return paired(said.subList(Math.max(0, said.size() - lastMessages), said.size()));
    }

    /** Read on where scores are kept with the thread: they are no part of what was said. */
    private static List<Message> said(Store store, ThreadLink thread, int most) {
        long first = thread.first(Integer.MAX_VALUE);
        long there = thread.position() - first;
        for (long count = Math.min(most, there); ; count = Math.min(2 * count, there)) {
            List<Message> last = last(store, thread, first, (int) count);
            List<Message> said = last.stream()
                    .filter(message -> !Transcript.holdsScores(message))
                    .toList();
            if (said.size() >= most || last.size() < count || count == there) {
                return said.subList(Math.max(0, said.size() - most), said.size());
            }
        }
    }

    private static List<Message> last(Store store, ThreadLink thread, long first, int count) {
        return store.readThread(thread.id(), thread.owner(), thread.position(), count).stream()
                .filter(entry -> entry.position() >= first) // where messages were deleted, it reads back beyond that
                .map(entry -> MessageCodec.read(entry.text()))
                .toList();
    }

    static List<Message> paired(List<Message> messages) {
        List<Message> whole = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            if (message.role() == Role.TOOL) {
                continue; // taken along with its calls, or without them
            }
            if (message.parts().size() == 1 && message.parts().getFirst() instanceof Part.Text) {
                whole.add(message); // as most are
                continue;
            }
            Message results = i + 1 < messages.size() ? messages.get(i + 1) : message;
            Set<String> answered = ids(results.toolResults(), Part.ToolResult::callId);
            answered.retainAll(ids(message.toolCalls(), Part.ToolCall::callId));
            add(whole, keep(message, answered));
            if (!answered.isEmpty()) {
                add(whole, keep(results, answered));
            }
        }
        return whole;
    }

    private static Message keep(Message message, Set<String> callIds) {
        List<Part> kept = message.parts().stream()
                .filter(part -> switch (part) {
                    case Part.ToolCall call -> callIds.contains(call.callId());
                    case Part.ToolResult result -> callIds.contains(result.callId());
                    case Part.Text ignored -> true;
                    case Part.Reasoning ignored -> true;
                    case Part.Image ignored -> true;
                })
                .toList();
        return new Message(message.id(), message.role(), kept, message.internal());
    }

    private static void add(List<Message> messages, Message message) {
        if (!message.parts().isEmpty()) {
            messages.add(message);
        }
    }

    private static <P> Set<String> ids(List<P> parts, Function<P, String> id) {
        return parts.stream().map(id).collect(Collectors.toCollection(HashSet::new));
    }
}
