package dev.chargehand.run;

import dev.chargehand.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The exact reason why a run ended.
 *
 * <p>Later versions add reasons. {@link #code()} is the contract: stable and fit for a switch, a column or a metric. A
 * {@code switch} over the types needs a {@code default} branch, which can use {@link #status()} and {@link
 * #explanation()}:
 *
 * <pre>{@code
 * switch (result.stopReason()) {
 *     case StopReason.Finished f -> show(result.text());
 *     case StopReason.Failed f -> report(f.error());
 *     default -> note(result.stopReason().explanation());
 * }
 * }</pre>
 */
public sealed interface StopReason {

    /** Return the status that goes with the reason. */
    default RunStatus status() {
        return switch (this) {
            case Finished ignored -> RunStatus.COMPLETED;
            case TaskComplete ignored -> RunStatus.COMPLETED;
            case Bailed ignored -> RunStatus.COMPLETED;
            case StoppedByHook ignored -> RunStatus.COMPLETED;
            case TaskIncomplete ignored -> RunStatus.INCOMPLETE;
            case StopConditionMet ignored -> RunStatus.COMPLETED;
            case MaxStepsReached ignored -> RunStatus.INCOMPLETE;
            case BudgetExhausted ignored -> RunStatus.INCOMPLETE;
            case LimitReached ignored -> RunStatus.INCOMPLETE;
            case OutputTruncated ignored -> RunStatus.INCOMPLETE;
            case ContentFiltered ignored -> RunStatus.INCOMPLETE;
            case AnswerIncomplete ignored -> RunStatus.INCOMPLETE;
            case Tripwire ignored -> RunStatus.INCOMPLETE;
            case Suspended ignored -> RunStatus.SUSPENDED;
            case Cancelled ignored -> RunStatus.ABORTED;
            case Failed ignored -> RunStatus.FAILED;
        };
    }

    /** Return the stable, kebab-case name of the reason, such as {@code max-steps-reached}. */
    default String code() {
        return switch (this) {
            case Finished ignored -> "finished";
            case TaskComplete ignored -> "task-complete";
            case Bailed ignored -> "bailed";
            case StoppedByHook ignored -> "stopped-by-hook";
            case TaskIncomplete ignored -> "task-incomplete";
            case StopConditionMet ignored -> "stop-condition-met";
            case MaxStepsReached ignored -> "max-steps-reached";
            case BudgetExhausted ignored -> "budget-exhausted";
            case LimitReached ignored -> "limit-reached";
            case OutputTruncated ignored -> "output-truncated";
            case ContentFiltered ignored -> "content-filtered";
            case AnswerIncomplete ignored -> "answer-incomplete";
            case Tripwire ignored -> "tripwire";
            case Suspended ignored -> "suspended";
            case Cancelled ignored -> "cancelled";
            case Failed ignored -> "failed";
        };
    }

    /** Return one sentence for people: what ended the run and, where something can be done, what. */
    default String explanation() {
        return switch (this) {
            case Finished ignored -> "The run gave its result.";
            case TaskComplete ignored -> "The scorers found the task complete.";
            case Bailed r ->
                "The text of agent '" + r.agentId() + "' is the answer, without the supervisor's own words"
                        + (r.failure() == null ? "." : ", though its work failed (" + r.failure() + ").");
            case StoppedByHook ignored -> "The hook onIterationComplete ended the run.";
            case TaskIncomplete ignored ->
                "The scorers found the task incomplete; with continueOnFail(true) the run continues.";
            case StopConditionMet r -> "The stop condition at index " + r.index() + " was met.";
            case MaxStepsReached r ->
                "The run made " + (r.maxSteps() == 1 ? "its only step" : "all of its " + r.maxSteps() + " steps")
                        + " without an answer that ends it; raise maxSteps to allow more.";
            case BudgetExhausted r -> "The budget for " + r.which() + " is spent.";
            case LimitReached r -> "The limit '" + r.which() + "' is reached" + whatToDo(r) + ".";
            case OutputTruncated ignored -> "The provider cut the answer at its length limit.";
            case ContentFiltered ignored -> "The provider withheld the answer or the rest of it.";
            case AnswerIncomplete ignored -> "The answer ended without saying that it was complete, or is empty.";
            case Tripwire r ->
                "Processor '" + r.processor() + "' blocked the text: " + r.reason()
                        + (r.reason().endsWith(".") ? "" : ".");
            case Suspended ignored -> "The run waits for an answer from outside.";
            case Cancelled r ->
                "The run was cancelled (" + r.by() + (r.reason() == null ? "" : ": " + r.reason()) + ").";
            case Failed r -> r.message();
        };
    }

    private static String whatToDo(LimitReached limit) {
        if (limit.which().equals(Limit.IDENTICAL_CALLS.key())) {
            return ": the model made the same call several times in a row; declare a tool polling if it is meant to be"
                    + " called like that";
        }
        return limit.which().equals(Limit.WORKFLOW_CALLS.key())
                ? ": the steps that a root run and its nested runs may call together, by default "
                        + Limit.WORKFLOW_CALLS.byDefault()
                        + "; raise it with limit(Limit.WORKFLOW_CALLS, ...) of the root run"
                : "";
    }

    /** The model of an agent gave its answer, or the last entry of a workflow its output. */
    record Finished() implements StopReason {}

    /** The completion's scorers passed the answer. */
    record TaskComplete() implements StopReason {}

    /**
     * A delegation's text is the answer: {@code onDelegationComplete} bailed.
     *
     * @param agentId the sub-agent's id
     * @param callId the call that handed the work over
     * @param failure for a delegation that gave no usable answer: the code of its stop reason, {@code empty-answer} or
     *     {@code invalid-output}; else null
     */
    record Bailed(String agentId, String callId, @Nullable String failure) implements StopReason {}

    /** {@code onIterationComplete} said stop. */
    record StoppedByHook() implements StopReason {}

    /** The completion's scorers failed the answer, and the run was not to continue. */
    record TaskIncomplete() implements StopReason {}

    /**
     * A {@code stopWhen} predicate was true.
     *
     * @param index which of the predicates, from 0
     */
    record StopConditionMet(int index) implements StopReason {}

    /** The run made as many steps as it may. */
    record MaxStepsReached(int maxSteps) implements StopReason {}

    /**
     * A budget that the caller set is spent.
     *
     * @param which {@code tokens}, {@code cost}, {@code wallTime} or {@code calls}
     */
    record BudgetExhausted(String which) implements StopReason {}

    /**
     * One of the {@link Limits} or the {@link TimeLimits} is spent.
     *
     * @param which its name, such as {@code modelCalls}, {@code identicalCalls} or {@code runTime}
     */
    record LimitReached(String which) implements StopReason {}

    /** The provider cut the answer at its length limit. */
    record OutputTruncated() implements StopReason {}

    /** The provider withheld the answer, or the rest of it. */
    record ContentFiltered() implements StopReason {}

    /** The answer ended without saying that it was complete, or the last one has no text. */
    record AnswerIncomplete() implements StopReason {}

    /**
     * A processor blocked the input, the conversation of a step, or an answer.
     *
     * @param processor its name
     * @param phase where it was called
     * @param reason what it said; free of secrets
     * @param metadata what it had for the application, or null
     */
    record Tripwire(
            String processor,
            ProcessorPhase phase,
            String reason,
            @Nullable Json metadata) implements StopReason {}

    /** The run has not ended: it waits for an answer from outside. Never the reason of a run that has ended. */
    record Suspended() implements StopReason {}

    /**
     * The run was cancelled.
     *
     * @param by what cancelled it, such as {@code caller}, {@code interrupt}, {@code stream-closed}
     * @param reason why, in the words of the caller and without known secrets; null if none was given
     */
    record Cancelled(String by, @Nullable String reason) implements StopReason {

        /** Create one without a reason. */
        public Cancelled(String by) {
            this(by, null);
        }
    }

    /**
     * The run ended with an error.
     *
     * @param error the error's stable name, see {@link dev.chargehand.error.ChargehandException#code()}
     * @param message what, where, what to do; free of secrets
     * @param retryable whether the same run may succeed later
     * @param providerMessage the provider's own words if a model call failed and the provider explained it, else null;
     *     stored with the run, for the application only: neither an event nor {@link #explanation()} has it
     */
    record Failed(
            String error,
            String message,
            boolean retryable,
            @Nullable String providerMessage) implements StopReason {

        /** Create a reason without words of a provider. */
        public Failed(String error, String message, boolean retryable) {
            this(error, message, retryable, null);
        }
    }
}
