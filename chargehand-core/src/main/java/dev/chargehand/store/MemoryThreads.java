package dev.chargehand.store;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Threads of messages in memory. Used under the store's lock. */
final class MemoryThreads {

    private final Map<String, StoredThread> threads = new HashMap<>();

    /** The running root runs of each thread. */
    private final Map<String, Set<RunId>> running = new HashMap<>();

    /** The pending runs of each thread, in the order in which they were stored. */
    private final Map<String, Set<RunId>> pending = new HashMap<>();

    private static final class StoredThread {
        private final ThreadAppend origin;
        private final Instant createdAt;
        private final List<ThreadEntry> entries = new ArrayList<>();
        private final Set<String> ids = new HashSet<>();

        private StoredThread(ThreadAppend origin, Instant createdAt) {
            this.origin = origin;
            this.createdAt = createdAt;
        }

        private ThreadRecord record() {
            return new ThreadRecord(
                    origin.threadId(),
                    origin.owner(),
                    origin.parentRunId(),
                    origin.parentCallId(),
                    entries.size(),
                    createdAt);
        }
    }

    /** Fail if one of the threads belongs to another owner, or would have two. */
    void requireOwners(List<Append> appends) {
        Map<String, ThreadOwner> newOwners = new HashMap<>();
        for (Append append : appends) {
            for (ThreadAppend thread : append.threads()) {
                requireOwner(thread.threadId(), thread.owner());
                ThreadOwner first = newOwners.putIfAbsent(thread.threadId(), thread.owner());
                if (first != null && !first.equals(thread.owner())) {
                    throw new ThreadOwnershipException(thread.threadId());
                }
            }
        }
    }

    private void requireOwner(String threadId, ThreadOwner owner) {
        StoredThread thread = threads.get(threadId);
        if (thread != null && !thread.origin.owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
    }

    void append(ThreadAppend append, Instant at) {
        StoredThread thread = threads.computeIfAbsent(append.threadId(), id -> new StoredThread(append, at));
        for (ThreadEntry entry : append.entries()) {
            if (thread.ids.add(entry.messageId())) {
                thread.entries.add(entry);
            }
        }
    }

    Optional<ThreadRecord> find(String threadId) {
        return Optional.ofNullable(threads.get(threadId)).map(StoredThread::record);
    }

    List<ThreadEntry> read(String threadId, ThreadOwner owner, long before, int last) {
        requireOwner(threadId, owner);
        StoredThread thread = threads.get(threadId);
        if (thread == null) {
            return List.of();
        }
        int end = (int) Math.min(before, thread.entries.size());
        return List.copyOf(thread.entries.subList(Math.max(0, end - last), end));
    }

    List<ThreadRecord> list(String resourceId, int offset, int limit) {
        return threads.values().stream()
                .map(StoredThread::record)
                .filter(thread -> thread.owner().equals(new ThreadOwner(resourceId, null)))
                .sorted(Comparator.comparing(ThreadRecord::createdAt)
                        .thenComparing(ThreadRecord::threadId)
                        .reversed())
                .skip(offset)
                .limit(limit)
                .toList();
    }

    /** Return the other running root runs of the thread of a root run. */
    Set<RunId> othersOn(RunRecord run) {
        String thread = run.threadId().orElse(null);
        if (thread == null || !run.isRoot()) {
            return Set.of();
        }
        Set<RunId> others = new HashSet<>(running.getOrDefault(thread, Set.of()));
        others.remove(run.runId());
        return others;
    }

    /** Return the oldest pending run of the thread of a root run, if it was stored before that run. */
    Optional<RunId> olderPending(RunRecord run) {
        return run.threadId()
                .filter(thread -> run.isRoot())
                .map(pending::get)
                .filter(ids -> run.length() == 0 || ids.contains(run.runId()))
                .map(ids -> ids.iterator().next())
                .filter(first -> !first.equals(run.runId()));
    }

    /** Note whether a run is running or pending now. */
    void noteStatus(RunRecord run) {
        String thread = run.threadId().orElse(null);
        if (thread != null && run.isRoot()) {
            note(running, thread, run, RunStatus.RUNNING);
            note(pending, thread, run, RunStatus.PENDING);
        }
    }

    private static void note(Map<String, Set<RunId>> runs, String thread, RunRecord run, RunStatus status) {
        if (run.status() == status) {
            runs.computeIfAbsent(thread, t -> new LinkedHashSet<>()).add(run.runId());
        } else {
            runs.computeIfPresent(thread, (t, ids) -> ids.remove(run.runId()) && ids.isEmpty() ? null : ids);
        }
    }

    boolean delete(String threadId, ThreadOwner owner) {
        requireOwner(threadId, owner);
        return threads.remove(threadId) != null;
    }
}
