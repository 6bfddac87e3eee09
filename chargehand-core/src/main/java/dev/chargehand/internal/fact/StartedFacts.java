package dev.chargehand.internal.fact;

import dev.chargehand.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changed copies of the first fact of a run. */
public final class StartedFacts {

    private StartedFacts() {}

    /** Return the fact with another input. */
    public static Fact.Started withInput(Fact.Started started, List<Message> input) {
        return copy(started, started.thread(), input, started.submitted());
    }

    /** Return the fact of a submitted run whose execution has started. */
    public static Fact.Started begun(Fact.Started started, Fact.Begun begun) {
        return begun(started, begun.position(), begun.historyFrom());
    }

    /**
     * Return the fact of a submitted run whose execution has started, at a position of its thread.
     *
     * @param historyFrom the position of the first message that it may see, or null if no bound of tokens decided it
     */
    public static Fact.Started begun(Fact.Started started, long position, @Nullable Long historyFrom) {
        ThreadLink thread = started.thread();
        ThreadLink link = thread == null ? null : new ThreadLink(thread.id(), thread.owner(), position, historyFrom);
        return copy(started, link, started.input(), false);
    }

    /** Return the fact of a run on another thread. */
    public static Fact.Started onThread(Fact.Started started, @Nullable ThreadLink thread) {
        return copy(started, thread, started.input(), started.submitted());
    }

    private static Fact.Started copy(
            Fact.Started from, @Nullable ThreadLink thread, List<Message> input, boolean submitted) {
        return new Fact.Started(
                from.agentId(),
                from.agentName(),
                from.path(),
                from.rootRunId(),
                from.parentRunId(),
                from.parentCallId(),
                thread,
                from.context(),
                input,
                from.instructions(),
                from.settings(),
                from.hooks(),
                from.requestContext(),
                from.models(),
                from.fork(),
                from.iterations(),
                submitted,
                from.definition(),
                from.at());
    }
}
