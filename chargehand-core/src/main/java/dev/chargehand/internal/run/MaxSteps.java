package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.loop.Prompts;
import org.jspecify.annotations.Nullable;

/** How many steps runs may make. */
final class MaxSteps {

    private static final int ROOT = 10;
    private static final int DELEGATION = 5;

    private MaxSteps() {}

    /** Returns how many steps a run may make, those that it has of another run included. */
    static int of(Fact.Started started) {
        Integer set = started.settings().maxSteps();
        int byDefault = started.path().isRoot() ? ROOT : DELEGATION;
        return set == null ? byDefault : set;
    }

    /**
     * Returns what a delegation is to set: the model and the hooks can lower the sub-agent's own limit, never raise it.
     *
     * @return null for the default
     */
    static @Nullable Integer ofDelegation(Agent agent, CallState call) {
        Integer set = agent.defaultOptions().settings().maxSteps();
        int most = set == null ? DELEGATION : set;
        Integer hooks = call.child().maxSteps();
        int lowered = Math.min(Prompts.wantedSteps(agent, call).orElse(most), hooks == null ? most : hooks);
        return lowered < most ? Integer.valueOf(lowered) : set;
    }
}
