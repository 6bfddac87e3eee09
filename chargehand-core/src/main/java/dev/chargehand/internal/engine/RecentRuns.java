package dev.chargehand.internal.engine;

import dev.chargehand.run.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last runs that have carried out decisions here: of several approvers of one run, each returns with its result,
 * whichever of them resumed it. Bounded; thread-safe.
 */
final class RecentRuns {

    private static final int MOST = 100;

    private final Map<RunId, LocalRun> runs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, LocalRun> eldest) {
            return size() > MOST;
        }
    };

    synchronized void add(LocalRun run) {
        runs.put(run.runId(), run);
    }

    synchronized Optional<LocalRun> find(RunId runId) {
        return Optional.ofNullable(runs.get(runId));
    }
}
