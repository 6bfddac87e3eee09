package dev.chargehand.config;

import dev.chargehand.RunOptions;
import dev.chargehand.document.Section;
import dev.chargehand.document.ValueKind;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.BailStrategy;
import java.util.Map;
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

    private static final Map<String, SubAgentContext> CONTEXTS = Map.of(
            "fullHistory", SubAgentContext.fullHistory(),
            "promptOnly", SubAgentContext.promptOnly(),
            "lastMessages", SubAgentContext.lastMessages());

    private static final Map<String, BailStrategy> STRATEGIES =
            Map.of("first", BailStrategy.FIRST, "last", BailStrategy.LAST);

    static DelegationEntry of(Section agent) {
        return new DelegationEntry(
                context(agent),
                agent.choice("bailStrategy", STRATEGIES),
                agent.flag("cancelSiblings"),
                agent.flag("includeSubAgentToolResultsInModelContext"),
                agent.flag("enableResultReferences"));
    }

    private static @Nullable SubAgentContext context(Section agent) {
        if (!agent.isSection("subAgentContext")) {
            return agent.choice("subAgentContext", CONTEXTS);
        }
        Section context = agent.section("subAgentContext", "'subAgentContext'").allowing(Keys.SUB_AGENT_CONTEXT);
        if (context.keys().isEmpty()) {
            agent.mistakes()
                    .add(
                            agent.at("subAgentContext"),
                            "'subAgentContext' needs a number of messages: lastMessages: 20.");
        }
        Integer count = context.value("lastMessages", ValueKind.from(0));
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
