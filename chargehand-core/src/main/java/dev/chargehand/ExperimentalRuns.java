package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.internal.definition.AgentCall;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.resume.RunLauncher;
import dev.chargehand.internal.engine.resume.TenantRuns;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The newer methods of a runtime, which may still change: for runs of workflows, for background tasks, and for what was answered. */
abstract class ExperimentalRuns {

    final TenantRuns runs;

    ExperimentalRuns(TenantRuns runs) {
        this.runs = runs;
    }

    RunLauncher launcher() {
        return runs.launcher();
    }

    /**
     * Return the options that a call of an agent would have now: those of the version of the agent that is selected, and what the call
     * changes.
     *
     * @throws ConfigurationException if options are invalid, or a version is selected of an agent that does not exist
     * @throws dev.chargehand.error.VersionUnknownException if the version does not exist, or the catalog of versions fails
     */
    @Experimental
    public RunOptions effectiveOptions(Agent agent, Consumer<RunOptions.Builder> options) {
        return new RunOptions(AgentCall.of(runs.engine().definitions(), agent.definition, agent.changes(options))
                .options());
    }

    /**
     * Return how a {@link dev.chargehand.approval.PendingApproval waiting call} was answered, also if the run has not carried the answer
     * out yet.
     *
     * @param runId the run that made the call, root or nested
     * @param waitNumber which of the waits of the call, from 1
     * @return empty if that wait has no answer: it still waits, was ended without one, or never was
     * @throws StoreException {@code NOT_FOUND} if the run is missing or may not be read
     * @throws ApprovalException {@code EXPIRED} if the time to answer was over before there was an answer
     */
    @Experimental
    public Optional<ApprovalAnswer> answerTo(RunId runId, String callId, int waitNumber) {
        return runs.stored().answerTo(runId, callId, waitNumber);
    }

    /** Return the ids of all agents: of those that were given to the runtime, of their sub-agents, and of those in steps of its workflows. */
    @Experimental
    public Set<String> agentIds() {
        return runs.engine().definitions().agentIds();
    }

    /** Return the workflows that were given to the runtime; of several versions of one the first. */
    @Experimental
    public List<Workflow<?, ?>> workflows() {
        return runs.engine().definitions().workflows();
    }

    /**
     * Run a workflow and wait for its result. A run with other options than those of workflows is rejected: limits, time limits, the
     * versions of agents, the request context, the initial state, the requester, listeners, an idempotency key, {@code toolCallConcurrency} for the steps of an entry, and
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

    /** Return the run of an agent that a call with an idempotency key has started, as {@link #findStarted(Workflow, Consumer)} does for workflows. */
    @Experimental
    public Optional<RunId> findStarted(Agent agent, Consumer<RunOptions.Builder> options) {
        AgentCall call = AgentCall.of(
                runs.engine().definitions(), Given.value("The agent", agent).definition, agent.changes(options));
        return RunKeys.find(runs.engine(), call.definition(), call.options());
    }

    private OptionValues values(WorkflowDefinition definition, Consumer<RunOptions.Builder> options) {
        OptionValues changed = RunOptions.changed(
                definition.defaultOptions(),
                Given.value("Workflow '" + definition.id() + "': the options of a run", options));
        definition.requireState(changed, launcher().checks());
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

    /**
     * Cancel a run as {@link TenantRuntime#cancel} does, for a reason that is stored with it: {@link StopReason.Cancelled#reason}.
     *
     * @param reason 1 to 2,000 characters, not blank; known secrets in it are replaced
     * @return whether it was cancelled; false if it is missing or has ended before. The reason of the first cancel counts
     * @throws ConfigurationException if the reason is blank or too long
     */
    @Experimental
    public boolean cancel(RunId runId, String reason) {
        return runs.access().mayOpen(runId, true)
                && runs.canceller().cancelFor(runId, Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Send a message of the user to a run once: a call that is repeated with its key, by any process, delivers nothing more and returns the
     * id of the first one, also if the run has ended meanwhile. All else is as without a key.
     *
     * @param key identifies the message among those to this run: 1 to 255 visible ASCII characters
     * @return the id of the message; empty if the run has ended before, or is missing
     * @throws ConfigurationException if the message is blank or the key is invalid
     * @throws dev.chargehand.error.IdempotencyKeyException if the key was used with another message to the run
     */
    @Experimental
    public Optional<String> tell(RunId runId, String message, String key) {
        Message said = Given.said("Run " + runId + ": the message", message);
        return runs.access().mayOpen(runId, true)
                ? runs.inboxes().tell(runId, said, Objects.requireNonNull(key, "key"))
                : Optional.empty();
    }

    /**
     * Return background tasks of the tenant, the newest first; those that {@link AgentRuntimeBuilder#accessCheck} lets the caller
     * read. A store in memory forgets a task when its result has been read.
     */
    @Experimental
    public List<Task> tasks(TaskFilter filter) {
        return runs.tasks().list(filter);
    }

    /**
     * Open the handle of a background task, in any process: that of the run of its last attempt.
     *
     * @throws dev.chargehand.error.TaskUnknownException if the task is missing or may not be opened
     */
    @Experimental
    public RunHandle task(RunId taskId) {
        return runs.handles().open(runs.tasks().require(taskId).runId());
    }

    /**
     * Cancel the background tasks that a run has started and that have not ended; the run itself is not cancelled.
     *
     * @return how many were cancelled
     */
    @Experimental
    public int cancelTasks(RunId originRunId) {
        return (int) tasks(TaskFilter.of(originRunId)).stream()
                .filter(task -> !task.status().isEnded() && runs.canceller().cancel(task.runId()))
                .count();
    }

    /**
     * Read the events of the runs of background tasks, past and future, whichever process executes them: of each attempt of those that
     * the filter selects, with their nested runs. A task that {@link AgentRuntimeBuilder#accessCheck} does not let the caller read
     * is left out.
     *
     * @param filter which tasks; {@link TaskFilter#attemptsOf} follows one from attempt to attempt
     * @param after where an earlier reader with an equal filter stopped, or null for the first event
     * @throws ConfigurationException if the filter selects {@link TaskFilter#unread unread} results, or the store is in memory and
     *     forgets runs that have ended
     * @throws IllegalArgumentException if the cursor is of other runs
     */
    @Experimental
    public RunsWatch watchTasks(TaskFilter filter, @Nullable RunsCursor after) {
        return runs.watches().tasks(filter, after);
    }

    /**
     * Read the events of a conversation, past and future, whichever process executes its runs: those of all root runs on the thread, with
     * their nested runs, and the {@link dev.chargehand.event.BackgroundTaskEvent events of background tasks} whose results the thread
     * receives. It follows an until-idle call whose stream is gone. The thread may be missing: its first run can follow.
     *
     * @param owner whom the thread belongs to; runs of others are left out
     * @param after where an earlier reader of the thread stopped, or null for the first event
     * @throws ThreadOwnershipException if the thread belongs to another owner, or {@link AgentRuntimeBuilder#accessCheck} does not
     *     let the caller read it
     * @throws ConfigurationException if the store is in memory and forgets runs that have ended
     * @throws IllegalArgumentException if the cursor is of other runs
     */
    @Experimental
    public RunsWatch watchThread(ThreadOwner owner, String threadId, @Nullable RunsCursor after) {
        return runs.watches().thread(owner, threadId, after);
    }

    /**
     * Read the events of a conversation from now on: those of its runs that have not ended, from their start, and of all that follow. Otherwise
     * it is as {@link #watchThread}, which has the runs that have ended too.
     *
     * @throws ThreadOwnershipException as {@link #watchThread}
     * @throws ConfigurationException if the store is in memory and forgets runs that have ended
     */
    @Experimental
    public RunsWatch followThread(ThreadOwner owner, String threadId) {
        return runs.watches().threadFromNow(owner, threadId);
    }
}
