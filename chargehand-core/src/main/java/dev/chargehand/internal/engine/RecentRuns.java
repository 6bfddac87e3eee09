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

    private final Map<RunId, LocalRun> runs = new Last<>();
    private final Map<RunId, RunOutcome> ends = new Last<>();

    private static final class Last<T> extends LinkedHashMap<RunId, T> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, T> eldest) {
            return size() > MOST;
        }
    }

    synchronized void add(LocalRun run) {
        runs.put(run.runId(), run);
    }

    synchronized void add(RunOutcome end) {
        ends.put(end.state().runId(), end);
    }

    synchronized Optional<LocalRun> find(RunId runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    synchronized Optional<RunOutcome> findEnd(RunId runId) {
        return Optional.ofNullable(ends.get(runId));
    }
}
