package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.definition.AgentCall;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.resume.RunLauncher;
import dev.chargehand.internal.engine.resume.TenantRuns;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The methods of a runtime that start runs of workflows. */
abstract class WorkflowRuns {

    final TenantRuns runs;

    WorkflowRuns(TenantRuns runs) {
        this.runs = runs;
    }

    RunLauncher launcher() {
        return runs.launcher();
    }

    /** Return the workflows that were given to the runtime; of several versions of one the first. */
    @Experimental
    public List<Workflow<?, ?>> workflows() {
        return runs.engine().definitions().workflows();
    }

    /**
     * Run a workflow and wait for its result. A run with other options than those of workflows is rejected: limits, time limits, the
     * versions of agents, the request context, the requester, listeners, an idempotency key, {@code toolCallConcurrency} for the steps of an entry, and
     * the hooks of a run's end.
     *
     * @throws ConfigurationException if the runtime is closed, options are invalid, or the input breaks its schema
     * @throws RunFailedException if the run failed
     */
    @Experimental
    public <I, O> WorkflowResult<O> run(Workflow<I, O> workflow, I input, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        RunResult result = launcher()
                .generate(definition, definition.input(input, launcher().checks()), values(definition, options));
        return new WorkflowResult<>(
                workflow,
                result.runId(),
                result.stopReason(),
                result.object(),
                result.workflowState().orElseThrow(),
                result.workflowSteps(),
                result.usageByAgent(),
                result.pendingApprovals());
    }

    /**
     * Start a run of a workflow and return its handle at once; see {@link #run}. {@link RunResult#object(Class)} of its result is the
     * output.
     */
    @Experimental
    public <I> RunHandle start(Workflow<I, ?> workflow, I input, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        return launcher().start(definition, definition.input(input, launcher().checks()), values(definition, options));
    }

    /** Start a run of a workflow and return its events as they happen; see {@link #run}. */
    @Experimental
    public <I> RunStream stream(Workflow<I, ?> workflow, I input, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        return launcher().stream(definition, definition.input(input, launcher().checks()), values(definition, options));
    }

    /** Store a run of a workflow that any process may execute, and return its id; see {@link TenantRuntime#submit(Agent, List, Consumer)}. */
    @Experimental
    public <I> RunId submit(Workflow<I, ?> workflow, I input, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        return launcher().submit(definition, definition.input(input, launcher().checks()), values(definition, options));
    }

    /** Store a run of a workflow and return its handle; see {@link TenantRuntime#enqueue(Agent, List, Consumer)}. */
    @Experimental
    public <I> RunHandle enqueue(Workflow<I, ?> workflow, I input, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        return launcher()
                .enqueue(definition, definition.input(input, launcher().checks()), values(definition, options));
    }

    /**
     * Return the run of a workflow that a call with an idempotency key has started in the last 24 hours, with any input.
     *
     * @param options those that the key counts for, as of the call: {@link RunOptions.Builder#idempotencyKey} and {@link
     *     RunOptions.Builder#requester}
     * @return empty if there is none, or if the options have no key
     */
    @Experimental
    public Optional<RunId> findStarted(Workflow<?, ?> workflow, Consumer<RunOptions.Builder> options) {
        WorkflowDefinition definition = new WorkflowDefinition(Given.value("The workflow", workflow));
        return RunKeys.find(runs.engine(), definition, values(definition, options));
    }

    private OptionValues values(WorkflowDefinition definition, Consumer<RunOptions.Builder> options) {
        OptionValues changed = RunOptions.changed(
                definition.defaultOptions(),
                Given.value("Workflow '" + definition.id() + "': the options of a run", options));
        return AgentCall.selected(runs.engine().definitions(), definition, changed);
    }

    /**
     * Start a run that continues before an entry of a workflow's run, perhaps with other outputs, another input, state or
     * workflow. The source run is only read: it may be running, wait, or have ended in any way. Copied calls are not executed and not
     * charged; the calls after them have idempotency keys of their own.
     *
     * @param from a root run of a workflow
     * @param changes say where it continues, with {@link ForkBuilder.WorkflowForkBuilder#before}
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store, which the default one forgets at its end
     * @throws ConfigurationException if the run is a nested one or of an agent, has not reached the place, or if a change does not fit
     * @throws dev.chargehand.error.WorkflowUnknownException if the version of the source run's workflow is not in the runtime
     */
    public RunHandle fork(RunId from, Consumer<ForkBuilder.WorkflowForkBuilder> changes) {
        return runs.workflowForker()
                .fork(
                        from,
                        ForkBuilder.WorkflowForkBuilder.changes(changes),
                        runs.handles()::of,
                        runs.handles()::found);
    }
}
