package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.StoreException;
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
 * @param parent for a new thread: whose delegation made it, or null
 * @param entries the messages, in order
 * @param title the title of the thread if it has none, of the source {@link TitleSource#FIRST_WORDS}, or null for none
 * @param memoryWork the memory work that there is to do for the thread from now on, or null for none
 * @param notes for a thread without a working memory: the one that it gets, or null for none
 */
public record ThreadAppend(
        String threadId,
        ThreadOwner owner,
        @Nullable Parent parent,
        List<ThreadEntry> entries,
        @Nullable String title,
        @Nullable MemoryWork memoryWork,
        @Nullable Notes notes) {

    public ThreadAppend {
        entries = List.copyOf(entries);
    }

    /**
     * The delegation that made a thread.
     *
     * @param runId the run that delegated, or null
     * @param callId the call of that run, or null
     */
    public record Parent(@Nullable String runId, @Nullable String callId) {}

    /**
     * A working memory to copy, as a fork of a run does. Nothing is copied if the text of the revision is not kept, or there is no such thread.
     *
     * @param threadId the thread that has it, of the same owner
     * @param revision the last revision to copy
     */
    public record Notes(String threadId, long revision) {}

    /**
     * What there is to do for a thread after an append.
     *
     * @param agentPath the path of the agent whose memory it is
     * @param titleOnly whether it is only to let a model write a title, and nothing if such a title would not stay
     */
    public record MemoryWork(String agentPath, boolean titleOnly) {}

    /**
     * Check, when the thread is locked, that the first message gets the place that its writer expects, if it expects one: the run that
     * it starts has read what precedes it.
     *
     * @param length of the thread
     * @throws StoreException {@code ALREADY_READ} if the thread has another length
     */
    public void requireLength(long length) {
        long expected = entries.isEmpty() ? -1 : entries.getFirst().position();
        if (expected >= 0 && expected != length) {
            throw new StoreException(
                    StoreException.Kind.ALREADY_READ,
                    "Thread '" + threadId + "' has " + length + " messages, and not " + expected
                            + " as when it was read; read it again.",
                    null);
        }
    }

    /** Create an append that leaves the memory of agents and the title as they are. */
    public ThreadAppend(
            String threadId,
            ThreadOwner owner,
            @Nullable String parentRunId,
            @Nullable String parentCallId,
            List<ThreadEntry> entries) {
        this(
                threadId,
                owner,
                parentRunId == null && parentCallId == null ? null : new Parent(parentRunId, parentCallId),
                entries,
                null,
                null,
                null);
    }

    /** Return, for a new thread, the run whose delegation made it, or null. */
    public @Nullable String parentRunId() {
        return parent == null ? null : parent.runId();
    }

    /** Return, for a new thread, the call whose delegation made it, or null. */
    public @Nullable String parentCallId() {
        return parent == null ? null : parent.callId();
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
        return new ThreadAppend(threadId, owner, parent, entries, title, work, notes);
    }

    /** Return this append with that title for a thread that has none. */
    @CheckReturnValue
    public ThreadAppend title(@Nullable String firstWords) {
        return new ThreadAppend(threadId, owner, parent, entries, firstWords, memoryWork, notes);
    }

    /** Return this append with that working memory for a thread without one. */
    @CheckReturnValue
    public ThreadAppend notes(@Nullable Notes copied) {
        return new ThreadAppend(threadId, owner, parent, entries, title, memoryWork, copied);
    }
}
