package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import java.util.Optional;

/** Executes opened calls. Thread-safe. */
public interface CallExecutor {

    /**
     * Execute a call to its end.
     *
     * @param scope the run, under the cancellation of the call
     * @return how it ended, or that it waits; nothing if it is a delegation that waits
     */
    Optional<Fact> execute(RunScope scope, State state, CallState call, BailArbiter siblings);
}
