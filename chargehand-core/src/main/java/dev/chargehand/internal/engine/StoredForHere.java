package dev.chargehand.internal.engine;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.task.TaskPlaces;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;

/** Has the runs executed that this process has stored for itself. */
record StoredForHere(Engine engine) implements TaskPlaces.Dispatched {

    private static final Log LOG = Log.of(StoredForHere.class);

    @Override
    public void stored(RunId runId, RunDefinition definition, OptionValues options) {
        engine.keepPending(runId, definition, options);
        engine.live().noteActive();
    }

    @Override
    public void turnMayWait(String tenantId, RunId first) {
        try {
            engine.forTenant(tenantId).notePendingTurn(first);
        } catch (RuntimeException e) {
            LOG.warn("run {}: whether its next turn waits could not be read: {}", first, e.getMessage());
        }
    }
}
