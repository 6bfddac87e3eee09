package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.tool.ToolCallRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a run stands under.
 *
 * @param agentIds the agents from the root down to the one above it
 * @param approvalPolicies those of the runs above it
 * @param cancellation ends the run, and everything beside it that has the same one
 */
record Above(List<String> agentIds, List<Predicate<ToolCallRequest>> approvalPolicies, Cancellation cancellation) {

    /** Returns what a root run stands under: nothing but what cancels it. */
    static Above root(Cancellation cancellation) {
        return new Above(List.of(), List.of(), cancellation);
    }

    /** Returns what the children of a run stand under. */
    static Above childOf(RunScope parent) {
        return new Above(parent.agentsOnPath(), parent.approvalPolicies(), parent.cancellation());
    }

    /** Returns the agents down to this one. */
    List<String> with(Agent agent) {
        List<String> longer = new ArrayList<>(agentIds);
        longer.add(agent.id());
        return List.copyOf(longer);
    }

    /** Returns the policies down to this one, if there is one. */
    List<Predicate<ToolCallRequest>> with(@Nullable Predicate<ToolCallRequest> policy) {
        if (policy == null) {
            return approvalPolicies;
        }
        List<Predicate<ToolCallRequest>> more = new ArrayList<>(approvalPolicies);
        more.add(policy);
        return List.copyOf(more);
    }
}
