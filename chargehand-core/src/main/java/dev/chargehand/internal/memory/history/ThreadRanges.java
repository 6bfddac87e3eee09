package dev.chargehand.internal.memory.history;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;

/** Reads ranges of threads, in which messages may be missing that were deleted. */
public final class ThreadRanges {

    private ThreadRanges() {}

    /**
     * Return the messages of a thread between two positions, the second one excluded; none if the thread was deleted, also if another
     * owner has made one with its id.
     */
    public static List<ThreadEntry> read(Store store, String threadId, ThreadOwner owner, long from, long to) {
        try {
            return store.readThreadFrom(threadId, owner, from, (int) (to - from)).stream()
                    .takeWhile(entry -> entry.position() < to)
                    .toList();
        } catch (ThreadOwnershipException e) {
            return List.of();
        }
    }
}
