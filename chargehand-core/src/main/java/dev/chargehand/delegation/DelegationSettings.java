package dev.chargehand.delegation;

import java.util.Objects;

/**
 * The part of the options for delegations that is plain data.
 *
 * @param subAgentContext how much of the conversation sub-agents see; its filter is kept with the hooks
 * @param bailStrategy which bail wins; default {@link BailStrategy#FIRST}
 * @param cancelSiblings whether a bail cancels the other calls of its step; default false, they are left to finish
 * @param includeSubAgentToolResults whether the supervisor's model sees what a sub-agent's tools returned; default false
 * @param resultReferences whether results of delegations get ids that later delegations may name; default false
 */
public record DelegationSettings(
        SubAgentContext subAgentContext,
        BailStrategy bailStrategy,
        boolean cancelSiblings,
        boolean includeSubAgentToolResults,
        boolean resultReferences) {

    /** Every setting at its default. */
    public static final DelegationSettings DEFAULT =
            new DelegationSettings(SubAgentContext.fullHistory(), BailStrategy.FIRST, false, false, false);

    public DelegationSettings {
        Objects.requireNonNull(bailStrategy, "bailStrategy");
        subAgentContext = subAgentContext.withFilter(null);
    }
}
