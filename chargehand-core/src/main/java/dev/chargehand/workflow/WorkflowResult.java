package dev.chargehand.workflow;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a workflow's run. The framework makes it.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <O> the type of the output
 */
@Experimental
public final class WorkflowResult<O> {

    private final Workflow<?, O> workflow;
    private final RunId runId;
    private final StopReason stopReason;
    private final Optional<Json> output;
    private final Json state;
    private final List<StepOutcome> steps;
    private final Map<String, Usage> usageByAgent;
    private final List<PendingApproval> pending;

    /**
     * Create it from what the run gave.
     *
     * @param output what the workflow gave, if it completed
     * @param usageByAgent what the models of its nested runs used, by the ids of their agents
     * @param pending what it waits for, if it is suspended
     */
    public WorkflowResult(
            Workflow<?, O> workflow,
            RunId runId,
            StopReason stopReason,
            Optional<Json> output,
            Json state,
            List<StepOutcome> steps,
            Map<String, Usage> usageByAgent,
            List<PendingApproval> pending) {
        this.workflow = workflow;
        this.runId = runId;
        this.stopReason = stopReason;
        this.output = output;
        this.state = state;
        this.steps = List.copyOf(steps);
        this.usageByAgent = Map.copyOf(usageByAgent);
        this.pending = List.copyOf(pending);
    }

    /** Return the id of the run. */
    public RunId runId() {
        return runId;
    }

    /** Return the status: completed, incomplete, aborted or suspended; a run that failed throws instead. */
    public RunStatus status() {
        return stopReason.status();
    }

    /** Return why exactly it ended. */
    public StopReason stopReason() {
        return stopReason;
    }

    /**
     * Return what the workflow gave.
     *
     * @throws ConfigurationException if it did not complete, or gave null where null is no value of the type
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    public O output() {
        return workflow.read(outputJson()
                .orElseThrow(() -> new ConfigurationException("Run " + runId + " of workflow '" + workflow.id()
                        + "' has no output: " + stopReason.explanation() + " Check the status first.")));
    }

    /** Return what the workflow gave, as JSON; empty if it did not complete. */
    public Optional<Json> outputJson() {
        return output;
    }

    /** Return the state that the steps shared, at the end. */
    public Json state() {
        return state;
    }

    /** Return how the calls of steps ended, in the order of their rounds. */
    public List<StepOutcome> steps() {
        return steps;
    }

    /** Return what the models of the agents below the run used, by the ids of the agents. */
    public Map<String, Usage> usageByAgent() {
        return usageByAgent;
    }

    /** Return what the models of all agents below the run used. */
    public Usage totalUsage() {
        return usageByAgent.values().stream().reduce(Usage.NONE, Usage::plus);
    }

    /** Return what the run waits for, its nested runs included; empty unless it is suspended. */
    public List<PendingApproval> pending() {
        return pending;
    }

    @Override
    public String toString() {
        return "WorkflowResult[" + status() + ", run " + runId + " of " + workflow.id() + ", " + stopReason + "]";
    }
}
