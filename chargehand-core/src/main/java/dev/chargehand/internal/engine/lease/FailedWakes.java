package dev.chargehand.internal.engine.lease;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The runs that this process woke and then gave up, mostly because their store failed: they belong to no process once they are
 * released, and this one wakes them again, since nothing else may. Thread-safe.
 */
public final class FailedWakes {

    private final Map<RunId, Failed> runs = new ConcurrentHashMap<>();

    private record Failed(String tenantId, Instant next) {}

    /** Wake a run again from a moment on, until it has ended or is not this process's to wake any more. */
    public void add(RunRecord run, Instant next) {
        runs.put(run.runId(), new Failed(run.tenantId(), next));
    }

    /** Leave a run to others, or to another list. */
    public void remove(RunId runId) {
        runs.remove(runId);
    }

    /** Return whether there is none. */
    public boolean isEmpty() {
        return runs.isEmpty();
    }

    /**
     * Return those that may be woken now. One that has ended, that waits in the store or that another process has taken is forgotten: the
     * other lists of what is due have it.
     *
     * @param store reads them
     * @param isOwn returns whether a run belongs to this process, which then executes it or is about to release it
     */
    public List<RunRecord> due(Store store, Instant now, Predicate<RunRecord> isOwn) {
        if (runs.isEmpty()) {
            return List.of(); // as at nearly every look
        }
        return runs.entrySet().stream()
                .filter(failed -> !failed.getValue().next().isAfter(now))
                .flatMap(failed -> due(store, failed.getKey(), failed.getValue(), isOwn).stream())
                .toList();
    }

    private Optional<RunRecord> due(Store store, RunId runId, Failed failed, Predicate<RunRecord> isOwn) {
        Optional<RunRecord> found =
                store.forTenant(failed.tenantId()).find(runId).filter(run -> run.status() == RunStatus.RUNNING);
        if (found.isPresent() && isOwn.test(found.get())) {
            return Optional.empty();
        }
        Optional<RunRecord> released = found.filter(run -> run.owner().isEmpty());
        if (released.isEmpty()) {
            boolean ignored = runs.remove(runId, failed); // unless it has failed again
        }
        return released;
    }
}
