package dev.chargehand.workflow;

import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The context of the code of a workflow: a step's handler or fallback, a condition, a map or the items of a foreach.
 * The framework implements it. Thread-safe.
 *
 * <p>Only a step may have effects: in other code {@link #idempotencyKey}, {@link #updateState}, {@link #suspend} and {@link #bail}
 * throw {@link IllegalStateException}.
 */
public interface WorkflowContext {

    /** Return the run of the workflow. */
    RunId runId();

    /** Return the position of the run in its tree. */
    AgentPath path();

    /** Return the tenant that the run belongs to. */
    String tenantId();

    /** Return the id of whom the data of the run belongs to, if it has one. */
    Optional<String> resourceId();

    /** Return the id of the workflow. */
    String workflowId();

    /** Return the id of the entry. */
    String entryId();

    /** Return the id of the step; empty in code that is not a step's. */
    Optional<String> stepId();

    /** Return the id of the call, unique over all runs but a run and its forks; empty in code that is not a step's. */
    Optional<String> callId();

    /**
     * Return a key that is the same whenever this very call is executed again, after a failure or a crash for example,
     * and no other call has; pass it to the system that executes the effect.
     */
    String idempotencyKey();

    /** Return the number of the attempt, from 1. */
    int attempt();

    /** Return the number of the iteration of a loop, from 1; 1 outside of loops. */
    int iteration();

    /** Return the index of the item of a foreach, from 0; empty outside of it. */
    OptionalInt item();

    /** Return the input of the run. */
    Json input();

    /**
     * Return the input of the run, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    default <T> T input(Class<T> type) {
        return input().as(type);
    }

    /**
     * Return the output of a step of an earlier entry, in a loop the last one; empty if the step did not run or its
     * output is null. A step of a foreach has an output per item, and none here.
     *
     * @throws dev.chargehand.error.InvalidJsonException if the output does not fit the step's type
     */
    <O> Optional<O> output(Step<?, O> step);

    /** Return the state that the steps of the run share, as it was when this code was called. */
    Json state();

    /**
     * Return the state that the steps of the run share, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    default <T> T state(Class<T> type) {
        return state().as(type);
    }

    /**
     * Change the shared state. The change is stored with the step's output, and discarded if the step fails.
     *
     * @param mergePatch a JSON merge patch (RFC 7396), as any value that has a JSON form: objects are merged, other
     *     values are replaced, null removes a key
     */
    void updateState(Object mergePatch);

    /**
     * Have the step wait for data from outside, once the handler has returned: {@code return ctx.suspend(new Question(…))}. The call
     * is then a {@link dev.chargehand.approval.PendingApproval}; with the data, the handler is called again from its start, and
     * {@link #resumeData} has it. A request that is declined, or not answered in time, fails the step.
     *
     * @param payload the question; any value that has a JSON form and fits the type that {@link Step#suspends} sets
     * @return what the handler may return; what it returns is not looked at any more
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    <T> @Nullable T suspend(@Nullable Object payload);

    /** Return the data that answered the last question of this call; empty if it has asked none. */
    Optional<Json> resumeData();

    /**
     * Return the same, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    default <T> Optional<T> resumeData(Class<T> type) {
        return resumeData().map(data -> data.as(type));
    }

    /** Return the last question of this call that was answered; empty if there is none. */
    Optional<Json> suspendPayload();

    /**
     * Return the same, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    default <T> Optional<T> suspendPayload(Class<T> type) {
        return suspendPayload().map(payload -> payload.as(type));
    }

    /** Return the values of the request. */
    RequestContext requestContext();

    /** Return whether the result is no longer wanted; the thread is interrupted too. */
    boolean isCancelled();

    /**
     * Emit a {@code data-<name>} event into the run's stream.
     *
     * @param name kebab-case
     * @param value any value that has a JSON form
     */
    void emit(String name, @Nullable Object value);

    /**
     * End the run as completed once the handler has returned; steps that run concurrently are superseded.
     *
     * @param output the output of the workflow; any value that has a JSON form and fits the schema of its output
     * @return what the handler may return; what it returns is not looked at any more
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    <T> @Nullable T bail(@Nullable Object output);
}
