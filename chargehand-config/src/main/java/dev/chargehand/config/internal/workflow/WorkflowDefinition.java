package dev.chargehand.config.internal.workflow;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the reader has read of a workflow.
 *
 * @param description empty for none
 * @param version null for the first
 * @param input the schema of its input, or null for any
 * @param output the schema of its output, or null for any
 * @param state the shared state at the start of a run, or null if it has none
 */
public record WorkflowDefinition(
        String id,
        Position at,
        String description,
        @Nullable String version,
        @Nullable JsonSchema input,
        @Nullable JsonSchema output,
        @Nullable Json state,
        List<EntryDefinition> entries) {

    public WorkflowDefinition {
        entries = List.copyOf(entries);
    }

    /** Return its steps. */
    public Stream<StepDefinition> steps() {
        return entries.stream().flatMap(entry -> entry.steps().stream());
    }

    /** Return the agents and workflows that its steps name. */
    public List<Setting> children() {
        Function<StepDefinition, Stream<Setting>> child = step -> switch (step.work()) {
            case StepDefinition.OfAgent agent -> Stream.of(agent.agent());
            case StepDefinition.OfWorkflow workflow -> Stream.of(workflow.workflow());
            case StepDefinition.OfTool ignored -> Stream.empty();
            case StepDefinition.Mapping ignored -> Stream.empty();
            case StepDefinition.StatePatch ignored -> Stream.empty();
            case StepDefinition.Ask ignored -> Stream.empty();
        };
        return steps().flatMap(child).toList();
    }
}
