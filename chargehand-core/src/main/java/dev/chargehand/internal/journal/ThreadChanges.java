package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import java.util.List;

/** What facts change about the thread of their run. */
final class ThreadChanges {

    private ThreadChanges() {}

    /** A run that starts, or continues, takes its thread; a submitted one that does not queue only needs it free. */
    static boolean takesThread(Fact fact) {
        return switch (fact) {
            case Fact.Started started ->
                !started.submitted() || started.settings().get(Options.BUSY_THREAD) == BusyThreadPolicy.REJECT;
            case Fact.Begun ignored -> true;
            case Fact.Resumed ignored -> true;
            default -> false;
        };
    }

    /** Return the messages that facts add to the thread, given the state after them. */
    static List<ThreadAppend> of(State state, List<Journal.Stored> facts) {
        ThreadLink thread = state.started().thread();
        if (thread == null) {
            return List.of();
        }
        List<ThreadEntry> entries = facts.stream()
                .flatMap(stored -> Transcript.addedBy(stored.fact(), stored.after()).stream())
                .map(message -> new ThreadEntry(message.id(), MessageCodec.write(message)))
                .toList();
        RunId parent = state.started().parentRunId();
        return entries.isEmpty() && !isSubmitted(facts)
                ? List.of()
                : List.of(new ThreadAppend(
                        thread.id(),
                        thread.owner(),
                        parent == null ? null : parent.value(),
                        state.started().parentCallId(),
                        entries));
    }

    /** The thread of a submitted run is made with it, so that no run of another owner can make it before. */
    private static boolean isSubmitted(List<Journal.Stored> facts) {
        return !facts.isEmpty() && facts.getFirst().fact() instanceof Fact.Started started && started.submitted();
    }
}
