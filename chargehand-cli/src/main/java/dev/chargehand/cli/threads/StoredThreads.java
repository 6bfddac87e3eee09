package dev.chargehand.cli.threads;

import dev.chargehand.cli.runs.ListOptions;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the conversations of a store, and reads them. */
public final class StoredThreads {

    private static final int PAGE = 200;

    private final Store store;

    public StoredThreads(Store store) {
        this.store = store;
    }

    /**
     * Find a conversation.
     *
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource
     */
    public Optional<ThreadRecord> find(String id, ThreadOwner owner) {
        Optional<ThreadRecord> found = store.findThread(id);
        if (found.isPresent()) {
            store.readThread(id, owner, 0, 1); // asks the store whose it is
        }
        return found;
    }

    /** Read the last messages, oldest first, some at a time. */
    public List<Message> messages(ThreadRecord thread, ThreadOwner owner, long most) {
        List<Message> messages = new ArrayList<>();
        long first = Math.max(0, thread.length() - most);
        for (long end = thread.length(); end > first; end -= PAGE) {
            List<ThreadEntry> page = store.readThread(thread.threadId(), owner, end, (int) Math.min(PAGE, end - first));
            page.reversed().forEach(entry -> messages.add(Message.fromJson(Json.parse(entry.text()))));
        }
        Collections.reverse(messages);
        return messages;
    }

    /**
     * Return the conversations of a resource, newest first; else all, by their last run.
     *
     * @param most how many at most
     */
    public List<ThreadRecord> latest(@Nullable String resource, int most) {
        return resource == null ? ofLastRuns(most) : store.listThreads(resource, 0, most);
    }

    /** A store lists the threads of one resource, and of none not at all; but every conversation has runs. */
    private List<ThreadRecord> ofLastRuns(int most) {
        Set<String> seen = new HashSet<>();
        List<ThreadRecord> found = new ArrayList<>();
        RunFilter next = RunFilter.ROOTS.limit(ListOptions.MOST);
        while (true) {
            List<RunRecord> runs = store.list(next);
            for (RunRecord run : runs) {
                String thread = run.threadId().orElse(null);
                if (thread != null && seen.add(thread)) {
                    store.findThread(thread).ifPresent(found::add);
                }
                if (found.size() >= most) {
                    return found;
                }
            }
            if (runs.size() < ListOptions.MOST) {
                return found;
            }
            RunId last = runs.getLast().runId();
            next = next.before(last);
        }
    }
}
