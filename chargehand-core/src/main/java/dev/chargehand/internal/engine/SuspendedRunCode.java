package dev.chargehand.internal.engine;

import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What code belongs to runs which wait now, and cannot be found otherwise: their agents, if they were not given to the
 * runtime, and the hooks and transient values of the request that were given to them only.
 *
 * <p>Bounded: of too many, the oldest are forgotten, and must be given again as in another process. Runs of known
 * agents without hooks of their own need nothing kept. Thread-safe.
 */
final class SuspendedRunCode {

    private static final int MOST = 10_000;

    private final DefinitionRegistry agents;
    private final Map<RunId, Kept> runs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, Kept> eldest) {
            return size() > MOST;
        }
    };

    /** What is kept of a run. */
    record Kept(RunDefinition definition, OptionValues hooks, RequestContext values) {}

    /** Keep nothing yet; {@code agents} need not be kept. */
    SuspendedRunCode(DefinitionRegistry agents) {
        this.agents = agents;
    }

    synchronized void keep(RunId runId, RunDefinition definition, OptionValues defaults, OptionValues options) {
        OptionValues hooks = options.code();
        RequestContext values = options.get(Options.REQUEST_CONTEXT).transientOnly();
        boolean own = !hooks.equals(defaults.code()) || !values.transientNames().isEmpty();
        if (!agents.has(definition) || own) {
            runs.put(runId, new Kept(definition, hooks, values));
        }
    }

    synchronized Optional<Kept> of(RunId runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    synchronized void forget(RunId runId) {
        runs.remove(runId);
    }
}
