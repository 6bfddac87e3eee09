package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.setup.ListOptions;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the conversations of a store, and reads them. */
public final class StoredThreads {

    private static final int PAGE = 1_000;

    private final TenantRuntime runtime;

    public StoredThreads(TenantRuntime runtime) {
        this.runtime = runtime;
    }

    /** Create a runtime without agents, which owns the store. */
    public static AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .build();
    }

    /**
     * Find a conversation.
     *
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another resource
     */
    public Optional<ThreadRecord> find(String id, ThreadOwner owner) {
        return runtime.threads().find(owner, id);
    }

    /** Read the last messages, oldest first, some at a time. */
    public List<Message> messages(ThreadRecord thread, long most) {
        List<Message> newestFirst = new ArrayList<>();
        long before = thread.length();
        while (before > 0 && newestFirst.size() < most) {
            int left = (int) Math.min(PAGE, most - newestFirst.size());
            List<ThreadMessage> page =
                    runtime.threads().messagesBefore(thread.owner(), thread.threadId(), before, left);
            if (page.isEmpty()) {
                break; // the rest was deleted
            }
            page.reversed().forEach(each -> newestFirst.add(each.message()));
            before = page.getFirst().position();
        }
        return List.copyOf(newestFirst.reversed());
    }

    /**
     * Return the conversations of a resource, newest first; else all, by their last run.
     *
     * @param most how many at most
     */
    public List<ThreadRecord> latest(@Nullable String resource, int most) {
        return resource == null ? ofLastRuns(most) : ofResource(resource, most);
    }

    private List<ThreadRecord> ofResource(String resource, int most) {
        List<ThreadRecord> found = new ArrayList<>();
        List<ThreadRecord> page;
        do {
            page = runtime.threads().list(resource, found.size(), Math.min(PAGE, most - found.size()));
            found.addAll(page);
        } while (page.size() == PAGE && found.size() < most);
        return found;
    }

    /** A store lists the threads of one resource, and of none not at all; but every conversation has runs. */
    private List<ThreadRecord> ofLastRuns(int most) {
        Set<String> seen = new HashSet<>();
        List<ThreadRecord> found = new ArrayList<>();
        RunFilter next = RunFilter.ROOTS.limit(ListOptions.MOST);
        while (true) {
            List<RunRecord> runs = runtime.runs(next);
            for (RunRecord run : runs) {
                String thread = run.threadId().orElse(null);
                if (thread != null && seen.add(thread)) {
                    find(thread, new ThreadOwner(run.resourceId().orElse(null), null))
                            .ifPresent(found::add);
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
