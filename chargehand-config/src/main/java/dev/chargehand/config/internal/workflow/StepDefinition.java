package dev.chargehand.config.internal.workflow;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.workflow.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the reader has read of a step.
 *
 * @param retries the number of further attempts
 * @param optional whether a failure is null
 * @param fallback makes the output after a failure, or null
 * @param timeout the time limit of one attempt, or null for the usual one
 */
public record StepDefinition(
        String id,
        Position at,
        Work work,
        int retries,
        Backoff backoff,
        boolean optional,
        @Nullable JsonTemplate fallback,
        @Nullable Duration timeout) {

    /** What does the work. */
    public sealed interface Work {}

    /** An agent, whose prompt is made from a template. */
    public record OfAgent(Setting agent, TextTemplate prompt) implements Work {}

    /**
     * A tool.
     *
     * @param arguments makes its arguments; null if the value is
     * @param approval whether each call waits for approval, in addition to what the tool requires
     */
    public record OfTool(Setting tool, @Nullable JsonTemplate arguments, boolean approval) implements Work {}

    /** A workflow with an input. */
    public record OfWorkflow(Setting workflow, JsonTemplate input) implements Work {}

    /** A function that makes a value of others. */
    public record Mapping(JsonTemplate value) implements Work {}

    /** A function that changes the shared state, and whose output is its input. */
    public record StatePatch(JsonTemplate patch) implements Work {}

    /**
     * A human who answers.
     *
     * @param answer the schema of the answer, or null for any
     */
    public record Ask(TextTemplate question, @Nullable JsonSchema answer) implements Work {}
}
