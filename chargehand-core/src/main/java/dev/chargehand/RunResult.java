package dev.chargehand;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.workflow.StepOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a run: how it ended, its text, and what it cost. The framework makes it; an application reads it.
 *
 * <p>Immutable. It may get more accessors in later versions, so an application does not implement it.
 */
public interface RunResult {

    /** Return the id of the run. */
    RunId runId();

    /** Return the path of its agent. */
    AgentPath path();

    /** Return the status: completed, failed, aborted or suspended. */
    RunStatus status();

    /** Return why exactly it ended. */
    StopReason stopReason();

    /**
     * Return the answer: the text of the last step, the output of a workflow as a text, or as much of it as there was if the run ended without an answer.
     */
    String text();

    /** Return every step, those copied from another run included. */
    List<StepResult> steps();

    /** Return the messages that the run added to the conversation: its input and its steps. */
    List<Message> messages();

    /** Return the tokens of this agent; those of copied steps were spent by the run they were copied from. */
    Usage usage();

    /** Return the tokens of every agent that took part, by agent id; of a run that waits, also those of nested runs that wait. */
    Map<String, Usage> usageByAgent();

    /** Return the cost of the whole tree of runs, by the prices in the options; zero without prices. */
    BigDecimal cost();

    /** Return the scores of the last answer that was scored, with their reasons; empty if none was. */
    Optional<CompletionResult> completion();

    /**
     * Return the result of the structured output: the object, or why the answer does not fit; empty if none was
     * requested, or if the run ended without an answer.
     */
    Optional<ObjectResult> structured();

    /** Return the calls that the run and its descendants wait for; empty unless it is suspended. */
    List<PendingApproval> pendingApprovals();

    /** Return the id of the conversation, if the run has one. */
    Optional<String> threadId();

    /** Return the run and step that this run was forked from, if it is a fork. */
    Optional<ForkOrigin> forkedFrom();

    /** Return how the calls of a workflow's steps ended, in the order of their rounds; empty for an agent's run. */
    default List<StepOutcome> workflowSteps() {
        return List.of();
    }

    /** Return the state that the steps of a workflow shared, at the end; empty for an agent's run. */
    default Optional<Json> workflowState() {
        return Optional.empty();
    }

    /** Return the tokens of the whole tree of runs. */
    default Usage totalUsage() {
        return usageByAgent().values().stream().reduce(Usage.NONE, Usage::plus);
    }

    /** Return how every tool call of the run ended, in order. */
    default List<ToolOutcome> toolResults() {
        return steps().stream().flatMap(step -> step.toolResults().stream()).toList();
    }

    /** Return the object of the structured output, the fallback value included; nothing if the run has none. */
    default Optional<Json> object() {
        return structured().map(ObjectResult::object);
    }

    /** Return the schema of the option {@code structuredOutput} of the run; empty without it, and for runs of workflows. */
    Optional<JsonSchema> objectSchema();

    /**
     * Return the object of the structured output as a Java type.
     *
     * @throws InvalidOutputException if the run has no object
     * @throws dev.chargehand.error.InvalidJsonException if the object does not fit the type, or lacks a component that the type requires
     */
    <T> T object(Class<T> type);

    /**
     * Return the object of the structured output as a Java type with type arguments.
     *
     * @throws InvalidOutputException if the run has no object
     * @throws dev.chargehand.error.InvalidJsonException if the object does not fit the type, or lacks a component that the type requires
     */
    <T> T object(JsonType<T> type);

    /**
     * The result of a run whose answer is read as a Java type.
     *
     * @param result all of the result
     * @param type the type of the answer
     */
    record Typed<T>(RunResult result, Class<T> type) {

        /**
         * Return the answer.
         *
         * @throws InvalidOutputException if the run has no answer: it waits, was cancelled, or spent its budget
         * @throws dev.chargehand.error.InvalidJsonException if the answer does not fit the type
         */
        public T value() {
            return result.object(type);
        }
    }
}
