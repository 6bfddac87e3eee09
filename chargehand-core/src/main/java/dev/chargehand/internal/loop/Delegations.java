package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;

/** Runs the child run of an opened delegation: from its beginning, or from where a crash left it. */
@FunctionalInterface
public interface Delegations {

    /** Advances the child run until it ends; it never throws for a child that failed. */
    Fact.ChildEnd run(RunScope parent, State state, CallState call);
}
