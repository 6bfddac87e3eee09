package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunOptions;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What code belongs to runs which wait now, and cannot be found otherwise: their agents, if they were not given to the
 * runtime, and the hooks and transient values of the request that were given to them only.
 *
 * <p>Bounded: of too many, the oldest are forgotten, and must be given again as in another process. Runs of known agents
 * without hooks of their own need nothing kept. Thread-safe.
 */
final class KeptRuns {

    private static final int MOST = 10_000;

    private final Predicate<Agent> isKnown;
    private final Map<RunId, Kept> runs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, Kept> eldest) {
            return size() > MOST;
        }
    };

    /** What is kept of a run. */
    record Kept(Agent agent, RunHooks hooks, RequestContext values) {}

    /** Keeps nothing yet; {@code isKnown} tells whether an agent is found by its id. */
    KeptRuns(Predicate<Agent> isKnown) {
        this.isKnown = isKnown;
    }

    synchronized void keep(RunId runId, Agent agent, RunOptions options) {
        RunHooks hooks = options.hooks();
        RequestContext values = options.requestContext().transientOnly();
        boolean own = !hooks.equals(agent.defaultOptions().hooks())
                || !values.transientNames().isEmpty();
        if (!isKnown.test(agent) || own) {
            runs.put(runId, new Kept(agent, hooks, values));
        }
    }

    synchronized Optional<Kept> of(RunId runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    synchronized void forget(RunId runId) {
        runs.remove(runId);
    }
}
