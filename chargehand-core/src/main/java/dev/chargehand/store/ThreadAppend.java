package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages to append to a thread, which is made if it is missing.
 *
 * @param threadId the thread
 * @param owner whom it must belong to
 * @param parentRunId for a new thread: the run whose delegation made it, or null
 * @param parentCallId for a new thread: the call of that run, or null
 * @param entries the messages, in order
 * @param title the title of the thread if it has none, of the source {@link TitleSource#FIRST_WORDS}, or null for none
 * @param memoryWork the memory work that there is to do for the thread from now on, or null for none
 */
public record ThreadAppend(
        String threadId,
        ThreadOwner owner,
        @Nullable String parentRunId,
        @Nullable String parentCallId,
        List<ThreadEntry> entries,
        @Nullable String title,
        @Nullable MemoryWork memoryWork) {

    public ThreadAppend {
        entries = List.copyOf(entries);
    }

    /**
     * What there is to do for a thread after an append.
     *
     * @param agentPath the path of the agent whose memory it is
     * @param titleOnly whether it is only to let a model write a title, and nothing if such a title would not stay
     */
    public record MemoryWork(String agentPath, boolean titleOnly) {}

    /** Create an append that leaves the memory of agents and the title as they are. */
    public ThreadAppend(
            String threadId,
            ThreadOwner owner,
            @Nullable String parentRunId,
            @Nullable String parentCallId,
            List<ThreadEntry> entries) {
        this(threadId, owner, parentRunId, parentCallId, entries, null, null);
    }

    /**
     * Return the path of the agent whose memory has work to do after this append.
     *
     * @param titled what gave the thread its title, as it is after this append; empty if it has none
     * @return empty if there is nothing to do
     */
    public Optional<String> due(Optional<TitleSource> titled) {
        return Optional.ofNullable(memoryWork)
                .filter(work -> !work.titleOnly() || TitleSource.MODEL.replaces(titled.orElse(null)))
                .map(MemoryWork::agentPath);
    }

    /** Return this append after which the memory of that agent has work to do; null for none. */
    @CheckReturnValue
    public ThreadAppend memoryOf(@Nullable String agentPath) {
        return work(agentPath == null ? null : new MemoryWork(agentPath, false));
    }

    /** Return this append after which the model of that agent has to write a title, if that would stay; null for none. */
    @CheckReturnValue
    public ThreadAppend titleOf(@Nullable String agentPath) {
        return work(agentPath == null ? null : new MemoryWork(agentPath, true));
    }

    private ThreadAppend work(@Nullable MemoryWork work) {
        return new ThreadAppend(threadId, owner, parentRunId, parentCallId, entries, title, work);
    }

    /** Return this append with that title for a thread that has none. */
    @CheckReturnValue
    public ThreadAppend title(@Nullable String firstWords) {
        return new ThreadAppend(threadId, owner, parentRunId, parentCallId, entries, firstWords, memoryWork);
    }
}
