package dev.chargehand.internal.engine;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RunTree;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import org.jspecify.annotations.Nullable;

/** Ends a run that was claimed and waited for its thread in vain: in the store, unless the store has failed. */
record UncontinuedRun(RunTree tree, RunDefinition definition, OptionValues hooks) {

    RunOutcome outcome(RunRecord claimed, State state, StopReason reason, @Nullable ChargehandException cause) {
        if (cause instanceof StoreException failure && Outage.isCause(failure)) {
            tree.outage().begin(failure);
            return left(state);
        }
        try {
            return RunOutcome.ended(tree.suspensions().end(claimed, reason, definition, hooks), cause);
        } catch (StoreException e) {
            tree.outage().begin(e);
            return left(state);
        }
    }

    private RunOutcome left(State state) {
        return RunOutcome.ended(tree.left(state, hooks), tree.outage().failure());
    }
}
