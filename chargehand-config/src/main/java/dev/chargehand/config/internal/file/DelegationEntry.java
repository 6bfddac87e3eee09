package dev.chargehand.config.internal.file;

import dev.chargehand.RunOptions;
import dev.chargehand.config.internal.key.AgentKeys;
import dev.chargehand.document.Section;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.BailStrategy;
import org.jspecify.annotations.Nullable;

/**
 * How an agent delegates; null where the file says nothing.
 *
 * @param subAgentContext how much of the conversation its sub-agents see
 * @param bailStrategy which bail wins
 * @param cancelSiblings whether a bail cancels the other calls of its step
 * @param includeSubAgentToolResults whether its model sees what a sub-agent's tools returned
 * @param resultReferences whether results of delegations get ids
 */
public record DelegationEntry(
        @Nullable SubAgentContext subAgentContext,
        @Nullable BailStrategy bailStrategy,
        @Nullable Boolean cancelSiblings,
        @Nullable Boolean includeSubAgentToolResults,
        @Nullable Boolean resultReferences) {

    static DelegationEntry of(Section agent) {
        return new DelegationEntry(
                context(agent),
                AgentKeys.BAIL_STRATEGY.in(agent),
                AgentKeys.CANCEL_SIBLINGS.in(agent),
                AgentKeys.INCLUDE_SUB_AGENT_TOOL_RESULTS_IN_MODEL_CONTEXT.in(agent),
                AgentKeys.ENABLE_RESULT_REFERENCES.in(agent));
    }

    private static @Nullable SubAgentContext context(Section agent) {
        if (!agent.isSection("subAgentContext")) {
            return AgentKeys.SUB_AGENT_CONTEXT.in(agent);
        }
        Section context =
                agent.section("subAgentContext", "'subAgentContext'").allowing(AgentKeys.Context.SECTION.names());
        if (context.keys().isEmpty()) {
            agent.mistakes()
                    .add(
                            agent.at("subAgentContext"),
                            "'subAgentContext' needs a number of messages: lastMessages: 20.");
        }
        Integer count = AgentKeys.Context.LAST_MESSAGES.in(context);
        return count == null ? null : SubAgentContext.lastMessages(count);
    }

    /** Set the values of the file. */
    public void set(RunOptions.Builder options) {
        if (subAgentContext != null) {
            options.subAgentContext(subAgentContext);
        }
        if (bailStrategy != null) {
            options.bailStrategy(bailStrategy);
        }
        if (cancelSiblings != null) {
            options.cancelSiblings(cancelSiblings);
        }
        if (includeSubAgentToolResults != null) {
            options.includeSubAgentToolResultsInModelContext(includeSubAgentToolResults);
        }
        if (resultReferences != null) {
            options.enableResultReferences(resultReferences);
        }
    }
}
