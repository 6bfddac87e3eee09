package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.loop.Outage;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import org.jspecify.annotations.Nullable;

/** Ends a run that was claimed and waited for its thread in vain: in the store, unless the store has failed. */
record NotContinued(Tree tree, Agent agent, RunHooks hooks) {

    Outcome outcome(RunRecord claimed, State state, StopReason reason, @Nullable ChargehandException cause) {
        if (cause instanceof StoreException failure && Outage.isCause(failure)) {
            tree.outage().begin(failure);
            return left(state);
        }
        try {
            return Outcome.ended(tree.suspensions().end(claimed, reason, agent, hooks), cause);
        } catch (StoreException e) {
            tree.outage().begin(e);
            return left(state);
        }
    }

    private Outcome left(State state) {
        return Outcome.ended(tree.left(state, hooks), tree.outage().failure());
    }
}
