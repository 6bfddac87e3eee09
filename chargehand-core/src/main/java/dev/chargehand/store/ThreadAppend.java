package dev.chargehand.store;

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
 */
public record ThreadAppend(
        String threadId,
        ThreadOwner owner,
        @Nullable String parentRunId,
        @Nullable String parentCallId,
        List<ThreadEntry> entries,
        @Nullable String memoryOf) {

    public ThreadAppend {
        entries = List.copyOf(entries);
    }

    /** Create an append that leaves the memory of agents as it is. */
    public ThreadAppend(
            String threadId,
            ThreadOwner owner,
            @Nullable String parentRunId,
            @Nullable String parentCallId,
            List<ThreadEntry> entries) {
        this(threadId, owner, parentRunId, parentCallId, entries, null);
    }
}
