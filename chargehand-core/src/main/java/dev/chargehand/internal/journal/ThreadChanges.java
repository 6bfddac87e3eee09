package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What facts change about the thread of their run. */
final class ThreadChanges {

    /** The place of a message that may come to any. */
    private static final long ANY = -1;

    private ThreadChanges() {}

    /** A run that starts, or continues, takes its thread; a submitted one that does not queue only needs it free. */
    static boolean takesThread(Fact fact) {
        return switch (fact) {
            case Fact.Started started ->
                !started.submitted() || started.settings().get(Options.BUSY_THREAD) == BusyThreadPolicy.REJECT;
            case Fact.ExecutionStarted ignored -> true;
            case Fact.Resumed ignored -> true;
            default -> false;
        };
    }

    /**
     * Return the messages that facts add to the thread, given the state after them, and whether there is memory work to do for
     * it then. A run that only reads adds none.
     *
     * @param memory that of the agent
     */
    static List<ThreadAppend> of(State state, List<Journal.Stored> facts, Memory memory) {
        ThreadLink thread = state.started().thread();
        if (thread == null) {
            return List.of();
        }
        boolean readsOnly = state.started().settings().get(Options.MEMORY).isReadOnly();
        List<Message> messages = readsOnly ? List.of() : messages(facts);
        ThreadAppend.MemoryWork work =
                state.stop() == null || readsOnly ? null : work(state.conversation(), thread, memory);
        RunId parent = state.started().parentRunId();
        return messages.isEmpty() && work == null && !isSubmitted(facts)
                ? List.of()
                : List.of(new ThreadAppend(
                        thread.id(),
                        thread.owner(),
                        parent == null
                                ? null
                                : new ThreadAppend.Parent(
                                        parent.value(), state.started().parentCallId()),
                        placed(entries(messages), facts, thread),
                        FirstWords.of(thread.owner(), messages.stream()),
                        work,
                        null));
    }

    /** Return what there is to do when the run has ended; null for nothing. */
    private static ThreadAppend.@Nullable MemoryWork work(ConversationState state, ThreadLink thread, Memory memory) {
        boolean isDue = Transcript.isIndexedAfter(state, memory) || Transcript.isObservedAfter(state, memory);
        boolean isTitled = memory.title().isPresent() && thread.owner().agentPath() == null;
        return isDue || isTitled ? new ThreadAppend.MemoryWork(state.path().toString(), !isDue) : null;
    }

    private static List<Message> messages(List<Journal.Stored> facts) {
        return facts.stream()
                .flatMap(stored ->
                        Transcript.addedBy(stored.fact(), stored.after().conversation()).stream())
                .toList();
    }

    private static List<ThreadEntry> entries(List<Message> messages) {
        return messages.stream()
                .map(message -> new ThreadEntry(message.id(), MessageCodec.write(message)))
                .toList();
    }

    /** A run that starts has read its thread up to its place there, so its first message must come to that place. */
    private static List<ThreadEntry> placed(List<ThreadEntry> entries, List<Journal.Stored> facts, ThreadLink thread) {
        long place = entries.isEmpty() ? ANY : place(facts.getFirst().fact(), thread);
        if (place == ANY) {
            return entries;
        }
        List<ThreadEntry> placed = new ArrayList<>(entries);
        placed.set(0, entries.getFirst().placed(place, null));
        return placed;
    }

    private static long place(Fact first, ThreadLink thread) {
        return switch (first) {
            case Fact.Started started ->
                started.submitted() || started.parentRunId() != null || started.fork() != null
                        ? ANY
                        : thread.position();
            case Fact.ExecutionStarted execution -> execution.position();
            default -> ANY;
        };
    }

    /** The thread of a submitted run is made with it, so that no run of another owner can make it before. */
    private static boolean isSubmitted(List<Journal.Stored> facts) {
        return !facts.isEmpty() && facts.getFirst().fact() instanceof Fact.Started started && started.submitted();
    }
}
