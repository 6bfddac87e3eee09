package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.run.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The hooks that were given to runs which wait now, as long as this process has them.
 *
 * <p>Bounded: of too many, the oldest are forgotten, and must be given again as in another process. Runs that have the
 * hooks of their agent only need nothing kept. Thread-safe.
 */
final class KeptHooks {

    private static final int MOST = 10_000;

    private final Map<RunId, RunHooks> hooks = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, RunHooks> eldest) {
            return size() > MOST;
        }
    };

    synchronized void keep(RunId runId, Agent agent, RunHooks own) {
        if (!own.equals(agent.defaultOptions().hooks())) {
            hooks.put(runId, own);
        }
    }

    synchronized Optional<RunHooks> of(RunId runId) {
        return Optional.ofNullable(hooks.get(runId));
    }

    synchronized void forget(RunId runId) {
        hooks.remove(runId);
    }
}
