package dev.chargehand.cli.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One agent of the file.
 *
 * @param id its id
 * @param at where it is defined
 * @param instructions empty for none
 * @param description empty for none, which only an agent that is nobody's sub-agent may have
 * @param model null for the model of the file
 * @param agents the ids of its sub-agents
 * @param tools its tools
 * @param maxSteps null for the default
 * @param lastMessages null for the default
 * @param requireToolApproval whether every call of a tool waits for approval, those of its sub-agents included
 * @param completion when its task is complete, or null for when its model says so
 * @param delegation how it delegates
 */
public record AgentEntry(
        String id,
        Position at,
        String instructions,
        String description,
        @Nullable Setting model,
        List<Setting> agents,
        List<ToolEntry> tools,
        @Nullable Integer maxSteps,
        @Nullable Integer lastMessages,
        boolean requireToolApproval,
        @Nullable CompletionEntry completion,
        DelegationEntry delegation) {

    public AgentEntry {
        agents = List.copyOf(agents);
        tools = List.copyOf(tools);
    }
}
