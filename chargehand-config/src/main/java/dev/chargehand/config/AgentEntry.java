package dev.chargehand.config;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.run.DelegationMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One agent of the file.
 *
 * @param id its id
 * @param at where it is defined
 * @param instructions empty for none
 * @param description empty for none, which is allowed only for an agent that is not a sub-agent
 * @param models its model and those to fall back to; empty for those of the file
 * @param agents the ids of its sub-agents
 * @param tools its tools
 * @param lastMessages null for the default
 * @param requireToolApproval whether every call of a tool waits for approval, those of its sub-agents included
 * @param completion when its task is complete, or null if its model decides
 * @param processors what looks at what goes into it and comes out of it
 * @param structuredOutput what its answer is to be, or null for a text
 * @param delegation how it delegates
 * @param memory what it remembers of earlier delegations, or null for the default
 * @param options what else it sets for its steps
 */
public record AgentEntry(
        String id,
        Position at,
        String instructions,
        String description,
        List<Setting> models,
        List<Setting> agents,
        List<ToolEntry> tools,
        @Nullable Integer lastMessages,
        boolean requireToolApproval,
        @Nullable CompletionEntry completion,
        ProcessorsEntry processors,
        @Nullable StructuredOutputEntry structuredOutput,
        DelegationEntry delegation,
        @Nullable DelegationMemory memory,
        OptionsEntry options) {

    public AgentEntry {
        models = List.copyOf(models);
        agents = List.copyOf(agents);
        tools = List.copyOf(tools);
    }
}
