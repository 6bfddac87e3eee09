package dev.chargehand.store;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.MemoryThreads.StoredThread;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Deletes what a tenant has in memory. Used under the store's lock.
 *
 * @param runs those of all tenants
 * @param tenants returns what a tenant has
 */
record MemoryDeletion(Map<RunId, MemoryRun> runs, Function<String, MemoryRuns> tenants, String tenantId) {

    int delete(Deletion what) {
        return switch (what) {
            case Deletion.EndedRuns ended ->
                deleteTrees(
                        root -> (ended.ofAllTenants() || isOwn(root))
                                && root.record.updatedAt().isBefore(ended.changedBefore()),
                        ended.limit());
            case Deletion.RunsOfThread ofThread -> deleteRunsOfThread(ofThread);
            case Deletion.RunsOfResource ofResource -> {
                requireEnded(run -> isOf(run, ofResource.resourceId()));
                yield deleteTrees(root -> isOwn(root) && isOf(root, ofResource.resourceId()), ofResource.limit());
            }
            case Deletion.OneThread one -> deleteThreads(threads().stored(one.threadId(), one.owner()).stream());
            case Deletion.ThreadsOfResource ofResource ->
                deleteThreads(threads()
                        .all()
                        .filter(thread ->
                                ofResource.resourceId().equals(thread.owner().resourceId()))
                        .limit(Math.max(0, ofResource.limit())));
            case Deletion.MessagesOfThread messages -> deleteMessages(messages);
            case Deletion.MemoryOfResource memory -> threads().deleteWorkingTexts(memory.resourceId());
            case Deletion.Remains ignored -> 0;
        };
    }

    private MemoryThreads threads() {
        return tenants.apply(tenantId).threads();
    }

    private boolean isOwn(MemoryRun run) {
        return run.record.tenantId().equals(tenantId);
    }

    private static boolean isOf(MemoryRun run, String resourceId) {
        return run.record.resourceId().filter(resourceId::equals).isPresent();
    }

    private int deleteTrees(Predicate<MemoryRun> which, int limit) {
        List<MemoryRun> roots = roots(which, limit);
        roots.forEach(root -> tenants.apply(root.record.tenantId()).delete(root));
        return roots.size();
    }

    private List<MemoryRun> roots(Predicate<MemoryRun> which, int limit) {
        return runs.values().stream()
                .filter(run -> run.isEndedTree(runs))
                .filter(which)
                .limit(Math.max(0, limit))
                .toList();
    }

    private int deleteRunsOfThread(Deletion.RunsOfThread what) {
        Optional<StoredThread> ignored =
                threads().stored(what.threadId(), what.owner()); // refuses a thread of another owner
        Predicate<MemoryRun> which = run -> isOn(run, what.threadId())
                && run.record
                        .resourceId()
                        .equals(Optional.ofNullable(what.owner().resourceId()));
        requireEnded(which);
        List<MemoryRun> roots = roots(run -> isOwn(run) && which.test(run), what.limit());
        for (MemoryRun root : roots) {
            Set<String> nested = new HashSet<>();
            root.below.forEach(run ->
                    Objects.requireNonNull(runs.get(run)).record.threadId().ifPresent(nested::add));
            List<StoredThread> theirs = threads()
                    .all()
                    .filter(thread -> nested.contains(thread.threadId()))
                    .filter(thread -> thread.owner().agentPath() != null)
                    .toList();
            tenants.apply(tenantId).delete(root);
            theirs.forEach(threads()::delete);
        }
        return roots.size();
    }

    private int deleteThreads(Stream<StoredThread> which) {
        List<StoredThread> threads = which.toList();
        threads.forEach(thread -> requireEnded(run -> isOn(run, thread.threadId())));
        threads.forEach(threads()::delete);
        return threads.size();
    }

    private int deleteMessages(Deletion.MessagesOfThread what) {
        StoredThread thread = threads().stored(what.threadId(), what.owner()).orElse(null);
        if (thread == null) {
            return 0;
        }
        requireEnded(run -> isOn(run, what.threadId()));
        for (RunId id : what.runs()) {
            MemoryRun run = runs.get(id);
            if (run != null && isOwn(run) && isOn(run, what.threadId())) {
                run.record
                        .summary()
                        .ifPresent(summary -> run.record = run.record.summarized(summary.withoutFirstWords()));
            }
        }
        return thread.deleteMessages(what.messageIds());
    }

    private static boolean isOn(MemoryRun run, String threadId) {
        return run.record.threadId().filter(threadId::equals).isPresent();
    }

    /** Nested runs count too: their threads are those of sub-agents. */
    private void requireEnded(Predicate<MemoryRun> which) {
        runs.values().stream()
                .filter(run -> isOwn(run) && !run.record.status().isEnded())
                .filter(which)
                .map(run -> run.record)
                .findFirst()
                .ifPresent(run -> {
                    throw ThreadBusyException.notDeleted(
                            run.threadId().orElse(""), run.runId().value());
                });
    }
}
