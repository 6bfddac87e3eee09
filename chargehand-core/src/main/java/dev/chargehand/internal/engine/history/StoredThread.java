package dev.chargehand.internal.engine.history;

import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.message.Message;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a whole thread, page by page. */
public final class StoredThread {

    private static final int PAGE = 200;

    private StoredThread() {}

    /**
     * Return the messages of a conversation, oldest first; empty if it does not exist.
     *
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.StoreException if the store fails, or a stored message is damaged
     */
    public static List<Message> messages(Store store, String threadId, @Nullable String resourceId) {
        ThreadOwner owner = new ThreadOwner(resourceId, null);
        List<Message> newestFirst = new ArrayList<>();
        long before = store.findThread(threadId).map(ThreadRecord::length).orElse(0L);
        List<ThreadEntry> page = store.readThread(threadId, owner, before, PAGE);
        while (!page.isEmpty()) {
            page.reversed().forEach(entry -> newestFirst.add(MessageCodec.read(entry.text())));
            before -= page.size();
            page = before == 0 ? List.of() : store.readThread(threadId, owner, before, PAGE);
        }
        Collections.reverse(newestFirst);
        return List.copyOf(newestFirst);
    }
}
