package dev.chargehand.internal.engine;

import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.run.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last runs that have carried out decisions here, and the ends of the last that were suspended when they were
 * cancelled here. Handles of these runs return their results even if the store does not keep ended runs. Bounded;
 * thread-safe.
 */
final class RecentRuns {

    private static final int MOST = 100;

    private final Map<Key, LocalRun> runs = new Last<>();
    private final Map<Key, RunOutcome> ends = new Last<>();

    private record Key(String tenantId, RunId runId) {}

    private static final class Last<T> extends LinkedHashMap<Key, T> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, T> eldest) {
            return size() > MOST;
        }
    }

    synchronized void add(String tenantId, LocalRun run) {
        runs.put(new Key(tenantId, run.runId()), run);
    }

    synchronized void add(String tenantId, RunOutcome end) {
        ends.put(new Key(tenantId, end.state().runId()), end);
    }

    synchronized Optional<LocalRun> find(String tenantId, RunId runId) {
        return Optional.ofNullable(runs.get(new Key(tenantId, runId)));
    }

    synchronized Optional<RunOutcome> findEnd(String tenantId, RunId runId) {
        return Optional.ofNullable(ends.get(new Key(tenantId, runId)));
    }
}
