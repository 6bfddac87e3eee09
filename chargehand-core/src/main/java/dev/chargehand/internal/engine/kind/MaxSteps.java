package dev.chargehand.internal.engine.kind;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.state.CallState;
import org.jspecify.annotations.Nullable;

/** How many steps runs may make. */
public final class MaxSteps {

    private static final int ROOT = 10;
    private static final int DELEGATION = 5;

    private MaxSteps() {}

    /** Return how many steps a run may make, those that it has of another run included. */
    public static int of(Fact.Started started) {
        Integer set = started.settings().get(Options.MAX_STEPS);
        int byDefault = started.path().isRoot() ? ROOT : DELEGATION;
        return set == null ? byDefault : set;
    }

    /**
     * Return what a delegation is to set: the model and the hooks can lower the sub-agent's own limit, never raise it.
     *
     * @return null for the default
     */
    public static @Nullable Integer ofDelegation(AgentDefinition agent, OptionValues own, CallState call) {
        Integer set = own.get(Options.MAX_STEPS);
        int most = set == null ? DELEGATION : set;
        Integer hooks = call.child().maxSteps();
        int lowered = Math.min(DelegationPrompts.wantedSteps(agent, call).orElse(most), hooks == null ? most : hooks);
        return lowered < most ? Integer.valueOf(lowered) : set;
    }
}
