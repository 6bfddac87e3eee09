package dev.chargehand;

import dev.chargehand.Until.Advanced;
import dev.chargehand.annotation.Experimental;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.definition.AgentCall;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.engine.resume.TenantRuns;
import dev.chargehand.memory.MemoryApi;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.thread.Threads;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.VersionUsage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime does for one tenant: its runs and threads. Those of other tenants are missing, also those that are
 * executed in the same runtime.
 *
 * <p>{@link AgentRuntime#forTenant} returns one; {@link AgentRuntime} itself is that of the tenant {@code local}. It needs
 * not be closed, and is cheap: make one for each request. Thread-safe.
 */
public sealed class TenantRuntime extends ExperimentalRuns permits AgentRuntime {

    private static final Approver APPLICATION = Approver.of("application");

    private final Map<String, Agent> agents;

    TenantRuntime(TenantRuns runs, Map<String, Agent> agents) {
        super(runs);
        this.agents = agents;
    }

    /** Return the tenant that it acts for. */
    public String tenantId() {
        return runs.engine().environment().tenantId();
    }

    /**
     * Return an agent that was given to the runtime, to run in it for this tenant.
     *
     * @throws ConfigurationException if there is not one of that id
     */
    public Agent agent(String id) {
        return bind(given(id));
    }

    /** Return the agents that were given to the runtime, to run in it for this tenant. */
    public List<Agent> agents() {
        return agents.values().stream().map(this::bind).toList();
    }

    /** Return the agent of the runtime itself. */
    Agent given(String id) {
        return Objects.requireNonNull(
                agents.get(runs.engine().definitions().requireAgent(id).id()));
    }

    /** Return an agent to run in this runtime for this tenant, which is not found by its id; so no wake-up continues its runs. */
    public Agent bind(Agent agent) {
        return agent.in(this);
    }

    /** Return what a call of an agent executes: a version of it, and with which options. */
    AgentCall call(Agent agent, Consumer<RunOptions.Builder> options) {
        Objects.requireNonNull(agent, "The agent of a run must not be null.");
        return AgentCall.of(runs.engine().definitions(), agent.definition, agent.changes(options));
    }

    /**
     * Start a run of an agent in this runtime and return its handle at once. The run continues, also when its handle is
     * dropped. {@link Agent#start} is the same for an agent of this runtime.
     *
     * <p>When this returns, the first facts of the run are stored, and it is pending if it has to wait for its thread;
     * not if its input passes processors first, or if it waits and the store is in memory.
     *
     * @throws ConfigurationException if the runtime is closed, or options or input are invalid: it has no message, or one of the user
     *     with neither an image nor a text that is not blank
     * @throws ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.ThreadBusyException if another run is using its thread, and the options do not let
     *     it wait
     * @throws dev.chargehand.error.IdempotencyKeyException if the options have a key that was used with another input
     */
    public RunHandle start(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().start(call.definition(), Given.input(agent.id(), input), call.options());
    }

    RunResult generate(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().generate(call.definition(), Given.input(agent.id(), input), call.options());
    }

    RunStream stream(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().stream(call.definition(), Given.input(agent.id(), input), call.options());
    }

    IdleStream streamUntilIdle(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().streamUntilIdle(call.definition(), Given.input(agent.id(), input), call.options());
    }

    /**
     * Store a run that any process may execute, and return its id; its input passes the input processors here. It is
     * pending until a runtime with {@link Wakeups#all()}, {@link #advance}, {@link #resume} or {@link AgentRuntime#recover} starts
     * it. The submitted runs of a thread start in the order in which they were stored.
     *
     * @throws ConfigurationException as {@link #start}, which throws the same exceptions; and if options of the call are
     *     code or transient values of the request, which another process would not have
     */
    public RunId submit(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().submit(call.definition(), Given.input(agent.id(), input), call.options());
    }

    /** Store a run as {@link #submit} does, and return its handle: {@link RunHandle#isRepeated} says whether it was stored before. */
    public RunHandle enqueue(Agent agent, List<Message> input, Consumer<RunOptions.Builder> options) {
        AgentCall call = call(agent, options);
        return launcher().enqueue(call.definition(), Given.input(agent.id(), input), call.options());
    }

    /**
     * Return a handle of a root run that any process executes, or that waits or has ended.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     * @throws ConfigurationException if it is a nested run
     */
    public RunHandle handle(RunId runId) {
        return runs.handles().open(Objects.requireNonNull(runId, "The id of a run must not be null."));
    }

    /**
     * Start a run that continues from a step of another, perhaps with another prompt, other options, another agent or
     * model. The other run is only read: it may be running, wait, or have ended in any way.
     *
     * <p>The fork starts with the input of the old run and with its steps up to the chosen one, as they were: no tool,
     * delegation or hook of them is called again. Its usage starts at zero, but the copied steps count as steps. A fork
     * of a run with a thread has a new thread of the same owner, with a copy of what the old one held before the run.
     *
     * <p>Options are those of the old run, unless changed; hooks must be given again, as for {@code resume}. With an
     * {@link RunOptions.Builder#idempotencyKey} of its own, a repeated call finds the fork that the first one started.
     *
     * @param from a root run
     * @param afterStep the last step to have a copy of, 0 for none; the run must have finished it
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store, which the default one forgets at its end
     * @throws ConfigurationException if it is a nested run or has not finished that step; if there is nothing left to
     *     do after it; if the agent was not given to this runtime; or if hooks that decide are not here
     * @throws dev.chargehand.error.IdempotencyKeyException if the options have a key that was used for another fork of
     *     the run
     * @throws ThreadOwnershipException if the options name another resource than the old run's thread belongs to
     */
    public RunHandle fork(RunId from, int afterStep, Consumer<ForkBuilder> changes) {
        return runs.forker()
                .fork(from, afterStep, ForkBuilder.changes(changes), runs.handles()::of, runs.handles()::found);
    }

    /**
     * Resume a run that no process executes, since its process died or released it, or start a pending one, which fails
     * with {@code ThreadBusyException} if it is not its turn. A run that has ended, or that waits for answers, is left
     * alone; stored answers are carried out, and calls whose time to answer is over count as declined.
     *
     * <p>A background task is resumed as soon as this runtime executes fewer tasks than it may.
     *
     * <p>Settings are those the run was started with. Hooks are those of its agent, those given to the run if it was
     * suspended in this runtime, and those given here; transient values of the request context must be given again.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store; {@code FENCED} if another owner that may
     *     be alive works on it
     * @throws ConfigurationException if its agent was not given to this runtime, it is a nested run, or it was started
     *     with hooks that decide and that are not here
     */
    public RunHandle resume(RunId runId, Consumer<RunOptions.Builder> options) {
        return runs.resumer().resume(runId, base -> RunOptions.changed(base, options));
    }

    /**
     * Execute a run in this call: one that is pending, has something to do, or was left by its process. Returns when it
     * has ended, can only wait, or was released at a safe point, as {@code until} decides. An interrupt releases it, too.
     *
     * @throws StoreException {@code NOT_FOUND}, {@code FENCED} as {@link #resume}
     * @throws ConfigurationException as {@link #resume}
     */
    public Advanced advance(RunId runId, Until until) {
        return runs.advancer().advance(runId, until);
    }

    /** Let a waiting call be executed; see {@link #answer}, which takes options too. */
    public RunHandle approve(PendingApproval approval, Approver approver) {
        return answer(approval, ApprovalAnswer.approve(approver), options -> {});
    }

    /** Reject a waiting call; its model sees the reason. See {@link #answer}, which takes options too. */
    public RunHandle decline(PendingApproval approval, Approver approver, String reason) {
        return answer(approval, ApprovalAnswer.decline(approver, reason), options -> {});
    }

    /** Give, as the application, the data that a tool requested; see {@link #answer}, which takes an approver too. */
    public RunHandle giveData(PendingApproval approval, @Nullable Object data) {
        return answer(approval, ApprovalAnswer.data(APPLICATION, data), options -> {});
    }

    /**
     * Give, as the application, the data that a step of a workflow requests now; see {@link #giveData(PendingApproval, Object)}.
     *
     * @param stepPath where the step stands, such as {@code ask-human} or {@code notify[3]}; in a nested workflow, after the path of
     *     its step and a dot
     * @throws ApprovalException as {@link #answer}; {@code UNKNOWN} if no step waits there, {@code AMBIGUOUS} if several do
     */
    @Experimental
    public RunHandle giveData(RunId runId, String stepPath, @Nullable Object data) {
        return giveData(runs.stepWaits().request(runId, stepPath), data);
    }

    /**
     * End early what the entry or step of a workflow at a path waits for: a sleep, or the time before another attempt. If no process
     * executes the run, it is resumed here, unless this runtime lacks what the run needs.
     *
     * @param stepPath where it stands, such as {@code cool-down}; see {@link #giveData(RunId, String, Object)}
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     * @throws ApprovalException {@code UNKNOWN} if nothing waits for a time there, {@code ALREADY_DECIDED} if the wait is over or the run
     *     has ended
     */
    @Experimental
    public RunHandle wake(RunId runId, String stepPath) {
        runs.stepWaits().wake(runId, stepPath);
        return handle(runId);
    }

    /**
     * Answer what a run waits for, and return once the answer is stored for the run. A process that executes the run
     * carries the answer out while other calls are executed; if there is none, the run is resumed here, a background task
     * as soon as a place is free. The answer counts for the very arguments that were shown, once, in time, and from an
     * approver that {@link AgentRuntimeBuilder#approverCheck} accepts. Settings and hooks are those of {@link #resume}.
     *
     * @return a handle whose result is that of the run after the answer was carried out: it has ended, or can only wait
     *     again
     * @throws ApprovalException if the answer was not taken; nothing was recorded then, and nothing executed
     * @throws ConfigurationException as {@link #resume}
     */
    public RunHandle answer(PendingApproval approval, ApprovalAnswer answer, Consumer<RunOptions.Builder> options) {
        return runs.approvals().answer(approval, answer, base -> RunOptions.changed(base, options));
    }

    /**
     * Store an answer as {@link #answer} does, and execute nothing here: for a process without the agents, such as an
     * inbox. A process with {@link Wakeups}, {@code recover()} or {@code resume} carries it out.
     *
     * @throws ApprovalException if the answer was not taken; nothing was recorded then
     */
    public void storeAnswer(PendingApproval approval, ApprovalAnswer answer) {
        runs.approvals().store(approval, answer);
    }

    /**
     * Read the events of a root run and its descendants, past and future, whichever process executes them.
     *
     * @param after where an earlier reader stopped, or null for the first event
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store, which the default one forgets at its end
     * @throws IllegalArgumentException if the cursor is of another run
     */
    public RunWatch watch(RunId runId, @Nullable Cursor after) {
        return runs.stored().watch(runId, after);
    }

    /**
     * Return what {@link #watch} reads so far: what stored facts report, at their times.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     */
    public List<RunEvent> history(RunId runId) {
        return runs.stored().history(runId);
    }

    /**
     * Cancel a run, with its descendants. One that is live in this runtime is cancelled at once: it closes the
     * provider's socket and interrupts its tools. A process that executes it elsewhere notices within a quarter of a
     * second and does the same; if it does not within 5 s, or no process executes the run, it is ended in the store,
     * and late writes are rejected. An attempt of a background task that has failed and is followed by another one stands for that, so
     * the id of a task cancels the task at any time.
     *
     * @return whether it was cancelled; false if it is missing or has ended before
     */
    public boolean cancel(RunId runId) {
        return runs.access().mayOpen(runId, true) && runs.canceller().cancel(runId);
    }

    /**
     * Send a message of the user to a root run or a nested one that has not ended, in any process. Its model sees it in
     * the next step, which a run makes even if its task is done. The message becomes part of the run's thread.
     *
     * @return the id of the message; empty if the run has ended or is missing. A run that is ended for another reason,
     *     such as a limit, may end without having read it: its {@code run-finish} lists the id as unread
     * @throws ConfigurationException if the message is blank
     */
    public Optional<String> tell(RunId runId, String message) {
        Message said = Given.said("Run " + runId + ": the message", message);
        return runs.access().mayOpen(runId, true) ? runs.inboxes().tell(runId, said, null) : Optional.empty();
    }

    /**
     * Return the record of a run, root or nested; empty if it is missing, or {@link AgentRuntimeBuilder#accessCheck} denies
     * the caller to read it.
     */
    public Optional<RunRecord> findRun(RunId runId) {
        return runs.access().mayOpen(runId, false)
                ? runs.engine().environment().store().find(runId)
                : Optional.empty();
    }

    /**
     * Return the texts that a root run has as {@link RunOptions.Builder#metadata}, by key: those of its agent and of its call.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store, which the default one forgets at its end
     * @throws ConfigurationException if it is a nested run
     */
    public Map<String, String> metadata(RunId runId) {
        return runs.stored().metadata(runId);
    }

    /**
     * Return the stored facts of one run, root or nested, for diagnosis: their forms are internal and change between versions. Known
     * secrets are not in them.
     *
     * @param from the position of the first one, from 0
     * @return empty if the run is missing or may not be read
     */
    @Experimental
    public List<FactEntry> facts(RunId runId, long from) {
        return findRun(runId).isPresent() ? runs.engine().environment().store().read(runId, from) : List.of();
    }

    /** Return the stored threads of the tenant: their records and messages, and what can be done with them. */
    public Threads threads() {
        return runs.threads();
    }

    /** Return what the agents of the tenant remember beyond the messages of one thread. */
    public MemoryApi memory() {
        return runs.memory();
    }

    /**
     * Return what each version of each agent and workflow has used in a root run and its nested runs, in the order of their ids and
     * versions. {@link RunResult#usageByAgent} has the sums of each agent. The numbers of a run that has not ended are those of its
     * last step, and a nested run that ended just now may be counted with the run above it.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store, which the default one forgets at its end
     * @throws ConfigurationException if it is a nested run
     */
    @Experimental
    public List<VersionUsage> usageByVersion(RunId runId) {
        return runs.stored().usageByVersion(runId);
    }

    /**
     * Return the saved versions of the agents, which are the tenant's own.
     *
     * @throws ConfigurationException if the catalog of the runtime is not {@link AgentCatalog#stored}
     */
    @Experimental
    public AgentVersions versions() {
        return runs.versions();
    }

    /**
     * Return records of the runs of the tenant, newest first; those that {@link AgentRuntimeBuilder#accessCheck} lets the
     * caller read.
     */
    public List<RunRecord> runs(RunFilter filter) {
        return runs.access().list(filter);
    }

    /**
     * Return the calls of the runs of the tenant that wait for an answer, the one that waits longest first, without reading the runs;
     * of those runs that {@link AgentRuntimeBuilder#accessCheck} lets the caller read.
     */
    public List<PendingApproval> pendingApprovals(WaitingFilter filter) {
        return runs.access().pending(filter);
    }
}
