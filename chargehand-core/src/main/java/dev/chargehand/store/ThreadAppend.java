package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages to append to a thread, which is made if it is missing.
 *
 * @param threadId the thread
 * @param owner whom it must belong to
 * @param parentRunId for a new thread: the run whose delegation made it, or null
 * @param parentCallId for a new thread: the call of that run, or null
 * @param entries the messages, in order
 * @param memoryOf the path of the agent whose memory has work to do for the thread from now on, or null for none
 * @param title the title of the thread if it has none, of the source {@link dev.chargehand.thread.TitleSource#FIRST_WORDS},
 *     or null for none
 * @param titleOf the path of the agent whose model has to write a title from now on, which is memory work, or null for none;
 *     there is none either if the thread has a title of a model or of the application after this append
 */
public record ThreadAppend(
        String threadId,
        ThreadOwner owner,
        @Nullable String parentRunId,
        @Nullable String parentCallId,
        List<ThreadEntry> entries,
        @Nullable String memoryOf,
        @Nullable String title,
        @Nullable String titleOf) {

    public ThreadAppend {
        entries = List.copyOf(entries);
    }

    /** Create an append that leaves the memory of agents and the title as they are. */
    public ThreadAppend(
            String threadId,
            ThreadOwner owner,
            @Nullable String parentRunId,
            @Nullable String parentCallId,
            List<ThreadEntry> entries) {
        this(threadId, owner, parentRunId, parentCallId, entries, null, null, null);
    }

    /** Return this append after which the memory of that agent has work to do. */
    @CheckReturnValue
    public ThreadAppend memoryOf(@Nullable String agentPath) {
        return new ThreadAppend(threadId, owner, parentRunId, parentCallId, entries, agentPath, title, titleOf);
    }

    /** Return this append with that title for a thread that has none. */
    @CheckReturnValue
    public ThreadAppend title(@Nullable String firstWords) {
        return new ThreadAppend(threadId, owner, parentRunId, parentCallId, entries, memoryOf, firstWords, titleOf);
    }

    /** Return this append after which the model of that agent has to write a title, if that would stay. */
    @CheckReturnValue
    public ThreadAppend titleOf(@Nullable String agentPath) {
        return new ThreadAppend(threadId, owner, parentRunId, parentCallId, entries, memoryOf, title, agentPath);
    }
}
