package dev.chargehand;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.CompletionResult;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param runId the run
 * @param path its agent
 * @param status where it stands
 * @param stopReason exactly why it ended
 * @param text the answer; the text of the last step, or what there was of it, if the run ended without an answer
 * @param steps every step, those copied from another run included
 * @param messages what the run added to the conversation: its input, its steps
 * @param usage tokens of this agent; those of copied steps were spent by the run they were copied from
 * @param usageByAgent tokens of every agent that took part, by agent id
 * @param cost of the whole tree of runs, by the prices in the options; zero without prices
 * @param completionResult how the last answer was scored, or null if none was
 * @param objectResult what came of the structured output; null if none was asked for, or the run ended without an answer
 * @param pendingApprovals what the run and those below it wait for; empty unless it is suspended
 * @param thread the conversation's id, or null
 * @param fork where the run came from, or null if it is no fork
 */
public record RunResult(
        RunId runId,
        AgentPath path,
        RunStatus status,
        StopReason stopReason,
        String text,
        List<StepResult> steps,
        List<Message> messages,
        Usage usage,
        Map<String, Usage> usageByAgent,
        BigDecimal cost,
        @Nullable CompletionResult completionResult,
        @Nullable ObjectResult objectResult,
        List<PendingApproval> pendingApprovals,
        @Nullable String thread,
        @Nullable ForkOrigin fork) {

    public RunResult {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
        pendingApprovals = List.copyOf(pendingApprovals);
        usageByAgent = Map.copyOf(usageByAgent);
    }

    /** Returns the tokens of the whole tree of runs. */
    public Usage totalUsage() {
        return usageByAgent.values().stream().reduce(Usage.NONE, Usage::plus);
    }

    /** Returns how every tool call of the run ended, in order. */
    public List<ToolOutcome> toolResults() {
        return steps.stream().flatMap(step -> step.toolResults().stream()).toList();
    }

    /** Returns how the last scored answer did: the scores and reasons; nothing if no answer was scored. */
    public Optional<CompletionResult> completion() {
        return Optional.ofNullable(completionResult);
    }

    /** Returns what came of the structured output: the object, or what was wrong with the answer, if one was asked for. */
    public Optional<ObjectResult> structured() {
        return Optional.ofNullable(objectResult);
    }

    /** Returns the object of the structured output, the fallback value included; nothing if the run has none. */
    public Optional<Json> object() {
        return structured().map(ObjectResult::object);
    }

    /**
     * Returns the object of the structured output as a Java type.
     *
     * @throws InvalidOutputException if the run has no object
     * @throws dev.chargehand.error.InvalidJsonException if the object does not fit the type
     */
    public <T> T object(Class<T> type) {
        return requireObject().as(type);
    }

    /**
     * Returns the object of the structured output as a Java type with type arguments.
     *
     * @throws InvalidOutputException if the run has no object
     * @throws dev.chargehand.error.InvalidJsonException if the object does not fit the type
     */
    public <T> T object(JsonType<T> type) {
        return requireObject().as(type);
    }

    private Json requireObject() {
        return object().orElseThrow(() -> new InvalidOutputException("Run " + runId + " of agent '" + path
                + "' has no object: "
                + structured()
                        .map(ObjectResult::problem)
                        .map(problem -> "its answer does not fit: " + problem)
                        .orElse("it ended as " + stopReason.code() + ", or option 'structuredOutput' was not set.")));
    }

    /** Returns the run and step that this run was forked from, if it is a fork. */
    public Optional<ForkOrigin> forkedFrom() {
        return Optional.ofNullable(fork);
    }

    /** Returns the conversation's id, if the run has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(thread);
    }
}
