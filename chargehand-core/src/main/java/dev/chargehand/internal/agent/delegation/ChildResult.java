package dev.chargehand.internal.agent.delegation;

import dev.chargehand.error.DelegationException;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.internal.agent.model.TypedAnswer;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The result of a nested run: an output, or the message about the failure and the failure's code.
 *
 * @param output null if it failed
 * @param failure null if it did not
 * @param code null if it did not
 */
public record ChildResult(
        @Nullable Json output,
        @Nullable String failure,
        @Nullable String code) {

    private static final Log LOG = Log.of(ChildResult.class);

    /** How the codes of failed model calls start. */
    private static final String MODEL = "model-";

    /** What precedes the sub-agent's own words in an error; they are all that follows. */
    public static final String PARTIAL = " What there is of its answer: ";

    /** What precedes them if all of the answer exists. */
    public static final String SAID = " What it said: ";

    static ChildResult of(Json output) {
        return new ChildResult(output, null, null);
    }

    private static ChildResult failed(String failure, String code) {
        return new ChildResult(null, failure, code);
    }

    /**
     * Return the result of a nested run that has ended.
     *
     * @param run the run above it
     * @param definition what it executed
     */
    public static ChildResult of(RunScope run, RunDefinition definition, ChildRuns.Ended ended) {
        return switch (definition) {
            case AgentDefinition agent -> of(run, agent, ended.end());
            case WorkflowDefinition workflow -> of(workflow, ended);
        };
    }

    private static ChildResult of(RunScope run, AgentDefinition agent, ChildEnd child) {
        if (child.status() == RunStatus.COMPLETED && !child.text().isBlank()) {
            return typed(run, agent, child.text());
        }
        if (child.stop() instanceof StopReason.Failed failed && failed.error().startsWith(MODEL)) {
            LOG.warn(
                    "run {}: agent '{}', to which it delegated, failed ({}): {}",
                    run.events().runId(),
                    child.agentId(),
                    failed.error(),
                    failed.message());
        }
        String partial = child.text().isBlank() ? "" : PARTIAL + child.text();
        boolean silent = child.status() == RunStatus.COMPLETED;
        String why = silent ? "Its answer was empty." : publicReason(child);
        return failed(
                "Agent '" + child.agentId() + "' gave no complete answer. " + why + partial,
                silent ? "empty-answer" : child.stop().code());
    }

    private static ChildResult of(WorkflowDefinition workflow, ChildRuns.Ended ended) {
        return ended.output()
                .map(ChildResult::of)
                .orElseGet(() -> failed(
                        "Workflow '" + workflow.id() + "' gave no output. " + publicReason(ended.end()),
                        ended.end().stop().code()));
    }

    /** A failure's own words may come from a provider; the supervisor's model gets its code only. */
    private static String publicReason(ChildEnd child) {
        return child.stop() instanceof StopReason.Failed failed
                ? "It failed (" + failed.error() + ")."
                : child.stop().explanation();
    }

    private static ChildResult typed(RunScope run, AgentDefinition agent, String text) {
        JsonSchema schema = agent.delegation().output();
        if (schema == null) {
            return of(Json.of(text));
        }
        TypedAnswer read = TypedAnswer.read(run, schema, text);
        return read.value() == null ? broken(agent, String.valueOf(read.problem()), text) : of(read.value());
    }

    private static ChildResult broken(AgentDefinition agent, String what, String text) {
        return failed(
                "The answer of agent '" + agent.id() + "' breaks its output schema: " + what + "." + SAID + text,
                InvalidOutputException.CODE);
    }

    /** Return whether an answer was given that breaks its schema. */
    public boolean isBroken() {
        return InvalidOutputException.CODE.equals(code);
    }

    /** Return the failure as an exception for the application, with its own words; null if it did not fail. */
    public @Nullable DelegationException exception(ChildRuns.Ended ended) {
        if (failure == null || code == null) {
            return null;
        }
        return ended.end().stop() instanceof StopReason.Failed failed
                ? new DelegationException(failed.error(), failed.retryable(), failure, ended.cause())
                : new DelegationException(code, false, failure, null);
    }
}
