package dev.chargehand.config.internal.file;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.run.DelegationMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the reader has read of an agent, or of a version of one; null where the file sets nothing.
 *
 * @param versions its further versions, which have none themselves
 */
public record AgentDefinition(
        String id,
        Position at,
        @Nullable String version,
        String instructions,
        String description,
        List<Setting> models,
        List<Setting> agents,
        List<Setting> workflows,
        List<ToolEntry> tools,
        MemoryEntry memory,
        boolean requireToolApproval,
        @Nullable CompletionEntry completion,
        ProcessorsEntry processors,
        @Nullable StructuredOutputEntry structuredOutput,
        DelegationEntry delegation,
        @Nullable DelegationMemory delegationMemory,
        BackgroundEntry background,
        OptionsEntry options,
        List<AgentDefinition> versions) {

    public AgentDefinition {
        models = List.copyOf(models);
        agents = List.copyOf(agents);
        workflows = List.copyOf(workflows);
        tools = List.copyOf(tools);
        versions = List.copyOf(versions);
    }
}
