package dev.chargehand.internal.engine.tree;

import static java.util.stream.Collectors.toMap;

import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.background.Backpressure;
import dev.chargehand.background.TaskEndContext;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.task.EarlierTurns;
import dev.chargehand.internal.engine.task.TaskStates;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.HookCalls;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Tasks;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.Budget;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Stores the background tasks of the runs of a tree as pending root runs. Thread-safe. */
final class TaskDispatch implements Tasks {

    private static final long FIRST_EPOCH = 1;
    private static final RunFilter PENDING = RunFilter.ROOTS.statuses(RunStatus.PENDING);

    /** How many tasks are read at once. */
    private static final int PAGE = 1000;

    private final RuntimeEnvironment environment;
    private final ChildOpenings openings;
    private final Ledger ledger;

    /** The grants of tasks whose ends no run of the tree has read. */
    private final Map<RunId, Budget> granted = new ConcurrentHashMap<>();

    /** The tasks that were admitted and may not be stored yet: all calls of a step are, before the first of them starts. */
    private final Set<RunId> starting = ConcurrentHashMap.newKeySet();

    private final ReentrantLock admissions = new ReentrantLock();

    /**
     * Make it for a tree.
     *
     * @param ledger that of the tree, from which the budget of a task is taken
     */
    TaskDispatch(RuntimeEnvironment environment, ChildOpenings openings, Ledger ledger) {
        this.environment = environment;
        this.openings = openings;
        this.ledger = ledger;
    }

    /** The store is read before the lock is taken, so that a store that does not answer holds up all calls of a step at once. */
    @Override
    public Admission admit(RunScope parent, ChildLink child) {
        RunId origin = parent.info().runId();
        long most = parent.limit(Limit.TASKS);
        Backpressure backpressure = environment.tasks().limits().backpressure();
        boolean queues = backpressure == Backpressure.QUEUE;
        Set<RunId> tasks = tasksOf(origin, most, RunFilter.ROOTS);
        Set<RunId> queued = queues ? tasksOf(origin, BackgroundLimits.MOST_WAITING, PENDING) : Set.of();
        Map<RunId, String> waiting = queues ? Map.of() : waitingHere();
        admissions.lock();
        try {
            if (withStarting(tasks) >= most) {
                return new Rejected(
                        "All " + most + " background tasks of the run were used; this one was not started. Do the"
                                + " work without it, or without 'background'.");
            }
            if (queues && withStarting(queued) >= BackgroundLimits.MOST_WAITING) {
                return rejected(BackgroundLimits.MOST_WAITING + " tasks of the run are waiting");
            }
            if (!queues && !environment.tasks().tryReserve(child.runId(), child.agentId(), waiting)) {
                return backpressure == Backpressure.FOREGROUND
                        ? new InForeground()
                        : rejected("as many tasks are running as may");
            }
            starting.add(child.runId());
            Optional<Budget> grant = ledger.grant(own(parent, child));
            if (grant.isEmpty()) {
                starting.remove(child.runId());
                environment.tasks().stored(child.runId());
                return new Rejected("The budget of the run is used; the task was not started.");
            }
            granted.put(child.runId(), grant.get());
            return new Admitted(grant.get());
        } finally {
            admissions.unlock();
        }
    }

    private long withStarting(Set<RunId> stored) {
        return stored.size()
                + starting.stream().filter(task -> !stored.contains(task)).count();
    }

    /** Return the tasks that are stored and wait for this process, which have their places. */
    private Map<RunId, String> waitingHere() {
        RunFilter pending = RunFilter.ROOTS
                .statuses(RunStatus.PENDING)
                .tasks(TaskFilter.ALL)
                .limit(PAGE);
        return environment.store().listOfAllTenants(pending).stream()
                .filter(run -> run.owner().equals(owner()))
                .collect(toMap(RunRecord::runId, RunRecord::agentId));
    }

    /** Return the process that is to execute the tasks; empty for any. */
    private String owner() {
        return environment.tasks().claims() ? environment.owner() : "";
    }

    @Override
    public void close() {
        starting.forEach(environment.tasks()::stored);
    }

    /** Debit the tasks that a run has started before this process resumed it. */
    void count(ConversationState state) {
        for (StepState step : state.steps()) {
            for (CallState call : step.calls()) {
                if (call.isTask() && call.isRunnable()) {
                    starting.add(call.child().runId());
                }
                Budget grant = call.isTask() ? call.child().grant() : null;
                if (grant != null && granted.putIfAbsent(call.child().runId(), grant) == null) {
                    ledger.take(grant);
                    run(call.child().runId())
                            .filter(run -> run.status().isEnded())
                            .ifPresent(run -> ended(run.runId()));
                }
            }
        }
    }

    /** Debit what earlier turns of an until-idle call have spent, if the run is a turn and has a budget. */
    void countEarlierTurns(State state) {
        if (!state.started().settings().get(Options.BUDGET).equals(Budget.NONE)) {
            EarlierTurns.before(state, environment.store())
                    .ifPresent(turns -> turns.debit(ledger, (task, grant) -> {
                        granted.put(task, grant);
                        ledger.take(grant);
                    }));
        }
    }

    @Override
    public Optional<StopReason> endOfTurn(ConversationState state) {
        return EarlierTurns.before(state, environment.store())
                .flatMap(turns -> turns.end(
                        state, state.started().settings().get(Options.LIMITS).get(Limit.CONTINUATIONS)));
    }

    @Override
    public void ended(RunId taskId) {
        Budget grant = granted.remove(taskId);
        RunSummary used = run(taskId).flatMap(RunRecord::summary).orElse(null);
        if (grant != null && used != null) {
            ledger.giveBack(grant, used.usage().totalTokens(), used.cost());
        }
    }

    private Optional<RunRecord> run(RunId runId) {
        return environment.store().find(runId);
    }

    private static Rejected rejected(String why) {
        return new Rejected("task-rejected: " + why + ", so this one was not started. Try again later, or do the work"
                + " without 'background'.");
    }

    /** Return the stored tasks of a run, at least up to a number; those of all turns of an until-idle call together. */
    private Set<RunId> tasksOf(RunId origin, long most, RunFilter filter) {
        RunFilter attempts = run(origin)
                .flatMap(RunRecord::untilIdle)
                .map(first -> filter.tasks(TaskFilter.ALL).untilIdle(first))
                .orElseGet(() -> filter.tasks(TaskFilter.of(origin)))
                .limit(PAGE);
        Set<RunId> tasks = new HashSet<>();
        RunFilter page = attempts;
        while (true) {
            List<RunRecord> runs = environment.store().list(page);
            runs.forEach(run -> tasks.add(run.task().orElseThrow().taskId()));
            if (runs.size() < PAGE || tasks.size() >= most) {
                return tasks;
            }
            page = attempts.before(runs.getLast().runId());
        }
    }

    private Budget own(RunScope parent, ChildLink child) {
        return parent.definition().children().values().stream()
                .filter(each -> each.id().equals(child.agentId()))
                .findFirst()
                .map(each -> each.defaultOptions().get(Options.BUDGET))
                .orElse(Budget.NONE);
    }

    @Override
    public void start(RunScope parent, State state, CallState call) {
        RunId runId = call.child().runId();
        try {
            if (!isStored(runId, state.runId())) {
                store(parent, state, call);
            }
        } catch (ConfigurationException e) { // it will never be stored
            Budget grant = granted.remove(runId);
            if (grant != null) {
                ledger.giveBack(grant, 0, BigDecimal.ZERO);
            }
            throw e;
        } finally {
            starting.remove(runId);
            environment.tasks().stored(runId);
        }
    }

    private void store(RunScope parent, State state, CallState call) {
        RunId runId = call.child().runId();
        RunDefinition definition = environment.definitions().requireOfChild(parent.definition(), call);
        OptionValues options = options(parent, definition, parent.contextOf(call));
        Fact.Started started = started(parent, state, call, definition, options);
        RunTree tree = new RunTree(
                environment,
                runId,
                FIRST_EPOCH,
                started.settings(),
                null,
                false,
                CallerContext.capture(environment.propagators()));
        try {
            tree.start(definition, runId, () -> RunOpening.of(started, List.of()), owner(), options);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.FENCED || !isStored(runId, state.runId())) {
                throw e;
            }
        }
        environment.tasks().dispatched(runId, definition, options);
    }

    private boolean isStored(RunId runId, RunId origin) {
        return run(runId)
                .flatMap(RunRecord::task)
                .filter(task -> task.originRunId().equals(origin))
                .isPresent();
    }

    /** Return the options of a task: those of its agent, and the approval policies of the runs above it. */
    private static OptionValues options(RunScope parent, RunDefinition definition, RequestContext context) {
        OptionValues own = definition.defaultOptions().with(Options.REQUEST_CONTEXT, context);
        List<Predicate<ToolCallRequest>> policies = new ArrayList<>(parent.approvalPolicies());
        Predicate<ToolCallRequest> its = own.get(Options.REQUIRE_TOOL_APPROVAL);
        if (policies.isEmpty()) {
            return own;
        }
        if (its != null) {
            policies.add(its);
        }
        return own.with(
                Options.REQUIRE_TOOL_APPROVAL, request -> policies.stream().anyMatch(policy -> policy.test(request)));
    }

    private Fact.Started started(
            RunScope parent, State state, CallState call, RunDefinition definition, OptionValues options) {
        RequestContext context = options.get(Options.REQUEST_CONTEXT);
        Fact.Started child =
                openings.of(parent, state, call, definition, context).started();
        Fact.Started above = state.started();
        ThreadLink thread = Objects.requireNonNull(above.thread());
        AgentDefinition agent = (AgentDefinition) parent.definition();
        Duration timeout = agent.background().timeout();
        OptionValues settings = child.settings();
        Budget grant = call.child().grant();
        settings = grant == null ? settings : settings.with(Options.BUDGET, grant);
        if (timeout != null) {
            settings = settings.with(
                    Options.TIME_LIMITS, settings.get(Options.TIME_LIMITS).with(TimeLimit.TASK, timeout));
        }
        boolean isFresh = !(definition instanceof AgentDefinition delegate)
                || delegate.delegation().memory() == DelegationMemory.FRESH;
        TaskOrigin origin = new TaskOrigin(
                call.child().runId(),
                1,
                agent.background().retries(),
                state.runId(),
                call.callId(),
                thread.id(),
                thread.owner(),
                parent.agentsOnPath(),
                isFresh,
                above.background().untilIdle());
        return StartedFacts.asTask(
                child, call.child().runId(), settings, unstored(above, definition, options), Background.of(origin));
    }

    /** Return what a task needs that is not stored: a policy that was given to the run above only, and transient values. */
    private static List<String> unstored(Fact.Started above, RunDefinition definition, OptionValues options) {
        List<String> names = new ArrayList<>(options.transientBeyond(definition.defaultOptions()));
        String policy = Options.REQUIRE_TOOL_APPROVAL.name();
        if (above.hooks().contains(policy)) {
            names.add(policy);
        }
        return names;
    }

    /** Do what follows the end of a run: have what it has submitted executed here, and notify who observes a task. */
    static void over(RuntimeEnvironment environment, RunScope run, State state) {
        TaskOrigin origin = state.started().background().origin();
        StopReason stop = state.stop();
        if (stop == null) {
            return;
        }
        if (origin != null && origin.isRetriedAfter(stop)) {
            environment.tasks().dispatched(origin.nextRunId(), run.definition(), run.options());
            return;
        }
        turnMayWait(environment, state);
        taskEnded(environment, run.hookCalls(), run.cancellation(), state);
    }

    /** Have the next turn executed that the end of a run may have made due, if it is for this process. */
    static void turnMayWait(RuntimeEnvironment environment, State state) {
        RunId first = state.started().background().firstTurn();
        if (first != null && state.started().parentRunId() == null) {
            environment.tasks().turnMayWait(environment.tenantId(), first);
        }
    }

    /** Notify who observes a task that it has ended; nothing is done for other runs and where another attempt follows. */
    static void taskEnded(RuntimeEnvironment environment, HookCalls calls, Cancellation cancellation, State state) {
        TaskOrigin origin = state.started().background().origin();
        StopReason stop = state.stop();
        if (origin == null || stop == null || origin.isRetriedAfter(stop)) {
            return;
        }
        environment
                .tasks()
                .idleCalls()
                .of(environment.tenantId(), state.started().background().firstTurn())
                .ifPresent(call -> call.taskEnded(TaskStates.ended(state, origin, stop)));
        AgentPath path = state.path();
        Consumer<TaskEndContext> observer = environment
                .definitions()
                .find(new AgentPath(path.segments().subList(0, path.depth() - 1)))
                .filter(AgentDefinition.class::isInstance)
                .map(above -> ((AgentDefinition) above).background().onTaskEnd())
                .orElse(null);
        if (observer != null) {
            TaskEndContext context = new TaskEndContext(
                    origin.taskId(),
                    state.agentId(),
                    origin.runId(),
                    origin.attempt(),
                    stop,
                    state.text(),
                    state.spent().totalUsage());
            calls.notifyOfEnd(state.stepNumber(), "onTaskEnd", cancellation, () -> observer.accept(context));
        }
    }
}
