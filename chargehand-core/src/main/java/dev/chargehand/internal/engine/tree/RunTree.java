package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.TerminalFacts;
import dev.chargehand.internal.agent.act.ReceivedDeliveries;
import dev.chargehand.internal.agent.model.InputScreening;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventSink;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ChildEnds;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.internal.scope.RootScope;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.TreeInbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A root run and its descendants while they are live: starts and resumes them, and holds what they share. */
public final class RunTree implements ChildRuns {

    private static final Log LOG = Log.of(RunTree.class);

    private final RuntimeEnvironment environment;
    private final RootScope scope;
    private final RunScopeFactory scopes;
    private final RunId root;
    private final long epoch;
    private final boolean resumed;
    private final TreeInbox inbox;
    private final TreeSpending spending;

    /** The runs that were started or resumed here. */
    private final Set<RunId> startedHere = ConcurrentHashMap.newKeySet(2);

    private final SuspendedRuns suspensions;
    private final ChildThreads childThreads;
    private final ChildOpenings openings;
    private final Cancellation cancellation = new Cancellation();
    private final Outage outage = new Outage(cancellation);
    private volatile long lapsesSeen;
    private final Map<RunId, InputScreening.Screened> screened = new ConcurrentHashMap<>();

    /**
     * Make a tree.
     *
     * @param epoch the epoch in which this process writes to it
     * @param settings the root's: their limits and budget hold for the whole tree
     * @param sink where the tree reports its events, or null if there are no listeners
     * @param resumed whether children may be in the store already
     * @param context what the caller had on its thread
     */
    public RunTree(
            RuntimeEnvironment environment,
            RunId root,
            long epoch,
            OptionValues settings,
            @Nullable EventSink sink,
            boolean resumed,
            CallerContext context) {
        this.environment = environment;
        this.root = root;
        this.epoch = epoch;
        this.lapsesSeen = environment.ownership().lapses();
        this.resumed = resumed;
        this.inbox = new TreeInbox(environment.store(), root, cancellation);
        this.suspensions = new SuspendedRuns(environment, sink, context);
        this.childThreads = new ChildThreads(environment.store(), environment.ids());
        this.openings = new ChildOpenings(environment, childThreads);
        Ledger ledger = new Ledger(settings.get(Options.LIMITS), settings.get(Options.BUDGET));
        TaskDispatch tasks = new TaskDispatch(environment, openings, ledger);
        this.spending = new TreeSpending(environment, ledger, tasks);
        this.scope = new RootScope(
                root,
                environment.time(),
                environment.ids(),
                environment.jitter(),
                environment.callouts().with(context).beforeWaits(sink == null ? () -> {} : sink::wakeReaders),
                ledger,
                environment.redactor(),
                environment.models()::of,
                this,
                tasks,
                environment.memories(),
                inbox,
                this::requireOwned,
                new AtomicBoolean(),
                outage);
        this.scopes = new RunScopeFactory(scope, environment.definitions(), environment.tenantId(), sink);
    }

    private void requireOwned() {
        long lapses = environment.ownership().lapses();
        if (lapses != lapsesSeen) {
            if (!environment.ownership().owns(environment.store(), root)) {
                throw RunLeftException.lost();
            }
            lapsesSeen = lapses;
        }
    }

    public TreeInbox inbox() {
        return inbox;
    }

    public RootScope scope() {
        return scope;
    }

    public SuspendedRuns suspensions() {
        return suspensions;
    }

    /** Return whether the store of the tree has failed. */
    public Outage outage() {
        return outage;
    }

    /** Return what ends the whole tree. */
    public Cancellation cancellation() {
        return cancellation;
    }

    /** Start the root run for an owner; a submitted one is only stored. */
    public RunExecution start(
            RunDefinition definition, RunId runId, Supplier<RunOpening> opening, String owner, OptionValues hooks) {
        RequestContext context = hooks.get(Options.REQUEST_CONTEXT);
        try (CallerContext.Opened ignored = scope.callouts().instruments().within(root)) {
            return SubmittedRuns.whileRead(
                    () -> start(definition, runId, opening, owner, hooks, context, InheritedScope.root(cancellation)));
        }
    }

    /** Start a run: what can be wrong with its definition is found before anything is stored. */
    private RunExecution start(
            RunDefinition definition,
            RunId runId,
            Supplier<RunOpening> from,
            String owner,
            OptionValues hooks,
            RequestContext context,
            InheritedScope above) {
        RunOpening asked = from.get();
        Fact.Started started = asked.started();
        RunScope run = scopes.of(definition, runId, started, hooks, context, above);
        InputScreening.Screened passed = screens(hooks) ? screened(run, asked) : null;
        RunOpening opening = passed == null ? asked : screened(from.get(), passed); // the thread may have grown
        startedHere.add(runId);
        spending.starts(runId, asked.added());
        RunAssembly.Ready parts = partsOf(run, definition, started);
        Journal journal = Journal.start(environment.store(), runId, owner, epoch, opening.then(runId, parts::first));
        spending.startedWith(opening, journal.state());
        journal.reportTo(inbox);
        parts.narrator().replay(journal.committed());
        startedHere.addAll(openings.replay(scopes, run, journal));
        return new RunExecution(run, journal, parts, suspensions, passed == null ? null : passed.failure());
    }

    /** Return whether the input of a run is looked at before the run starts, which may take its time. */
    public static boolean screens(OptionValues hooks) {
        return !hooks.get(Options.INPUT_PROCESSORS, InputProcessor.class).isEmpty();
    }

    /** Processors are called once, though a run that has to wait for its thread tries to start several times. */
    private InputScreening.Screened screened(RunScope run, RunOpening asked) {
        InputScreening.Screened passed = screened.get(run.info().runId());
        if (passed == null) {
            passed = new InputScreening(run).screen(asked.started(), asked.said());
            screened.put(run.info().runId(), passed);
        }
        return passed;
    }

    private RunOpening screened(RunOpening opening, InputScreening.Screened passed) {
        List<Fact> facts = passed.facts(environment.time().now(), environment.redactor());
        return opening.screened(passed.input(), passed.said(), facts);
    }

    static RunAssembly.Ready partsOf(RunScope run, RunDefinition definition, Fact.Started started) {
        Boolean stored = started.iterations();
        return RunAssembly.of(run.options()).ready(run, stored == null ? definition.isSupervisor() : stored);
    }

    /** Resume or start the root run that was claimed for this process and has not ended. */
    public RunExecution resume(RunDefinition definition, Journal journal, OptionValues hooks) {
        try (CallerContext.Opened ignored = scope.callouts().instruments().within(root)) {
            InheritedScope above = InheritedScope.of(journal.state(), definition, hooks, environment, cancellation);
            return SubmittedRuns.whileRead(
                    () -> resume(definition, journal, hooks, hooks.get(Options.REQUEST_CONTEXT), above));
        }
    }

    private RunExecution resume(
            RunDefinition definition, Journal journal, OptionValues hooks, RequestContext more, InheritedScope above) {
        Fact.Started started = journal.state().started();
        RequestContext context =
                RequestContext.restore(started.requestContext()).merge(more);
        RunScope run = scopes.of(definition, journal.state().runId(), started, hooks, context, above);
        RunAssembly.of(run.options()).checkContinues(definition, journal.state());
        RunAssembly.Ready parts = partsOf(run, definition, started);
        Instant now = environment.time().now();
        startedHere.add(journal.state().runId());
        journal.reportTo(inbox);
        List<Journal.Stored> first = List.of();
        if (started.submitted()) {
            first = SubmittedRuns.startExecution(environment, definition, journal);
        } else {
            journal.add(new Fact.Resumed(environment.ownerOf(root), epoch, now));
        }
        journal.add(RunAssembly.of(run.options()).interrupted(run, journal.state(), now));
        ReceivedDeliveries.addDecisions(journal, inbox, now); // given in time: what they answer has not expired
        journal.add(TerminalFacts.ofExpired(journal.state(), now)); // of a version that kept no list of waiting calls
        List<Journal.Stored> facts = journal.commit();
        parts.narrator().replay(first);
        parts.narrator().narrate(facts);
        spending.count(definition, journal.state(), child -> !mustResume(child));
        return new RunExecution(run, journal, parts, suspensions, null);
    }

    /** Return the end of a run for its caller, while it stays in the store as it is. */
    public State left(State state, OptionValues hooks) {
        return suspensions.left(state, outage.reason(scope.redactor()), hooks);
    }

    @Override
    public Optional<Ended> run(RunScope parent, State state, CallState call) {
        try {
            RunDefinition definition = environment.definitions().requireOfChild(parent.definition(), call);
            Optional<RunOutcome> child = child(parent, state, call, definition);
            outage.check(); // the child may have ended for its caller only
            return child.filter(at -> !at.isSuspended()).map(at -> ended(definition, at));
        } catch (RunInterruptedException e) {
            return Optional.of(notAdvanced(parent, call, e.reason(), null));
        } catch (ChargehandException e) {
            if (e instanceof StoreException failure && failure.kind() == StoreException.Kind.FENCED) {
                throw RunLeftException.lost(); // who takes a run takes those below it after it
            }
            if (e instanceof StoreException failure && Outage.isCause(failure)) {
                outage.begin(failure);
            }
            return Optional.of(notAdvanced(parent, call, scope.redactor().failure(e), e));
        }
    }

    private Ended ended(RunDefinition definition, RunOutcome outcome) {
        State child = spending.counted(outcome.state());
        ThreadLink thread = child.started().thread();
        return new Ended(
                RunResults.childEnd(child),
                RunResults.output(child),
                definition,
                () -> environment.stepResults().toolResults(child),
                thread == null ? null : thread.id(),
                outcome.cause());
    }

    @Override
    public Optional<State> find(RunId runId) {
        return environment.find(runId);
    }

    @Override
    public Instant waitsUntil(CallState call) {
        return environment
                .store()
                .find(call.child().runId())
                .flatMap(RunRecord::expiresAt)
                .orElseThrow(() -> new IllegalStateException("Call " + call.callId() + " does not wait."));
    }

    /** A run may be in the store if it was started here, or before the tree was resumed. */
    @Override
    public boolean hasStarted(CallState call) {
        RunId runId = call.child().runId();
        return startedHere.contains(runId)
                || (resumed && environment.store().find(runId).isPresent());
    }

    @Override
    public ChildEnds ends(RunScope parent, List<CallState> delegations, StopReason reason) {
        return suspensions.ends(delegations, epoch, reason, parent.definition());
    }

    @Override
    public ChildEnd end(RunScope parent, CallState call, StopReason reason) {
        try {
            TreeEnds ends = suspensions.ends(List.of(call), epoch, reason, parent.definition());
            ends.commit();
            ends.narrate();
            return ends.of(call);
        } catch (StoreException e) {
            LOG.warn("run {}: it could not be ended: {}", call.child().runId(), e.getMessage());
            return TerminalFacts.endOfChild(call, reason);
        }
    }

    /** End a child that could not start, or not continue; one that had started before must not be left waiting. */
    private Ended notAdvanced(RunScope parent, CallState call, StopReason reason, @Nullable Throwable cause) {
        outage.check();
        if (resumed) {
            requireOwned(); // another process may execute it now
        }
        boolean mayBeStored = resumed || startedHere.contains(call.child().runId());
        ChildEnd end = mayBeStored ? end(parent, call, reason) : TerminalFacts.endOfChild(call, reason);
        return new Ended(end, Optional.empty(), null, List::of, null, cause);
    }

    /** Return where the child stands when nothing more can be done for it; nothing if it waits and is left alone. */
    private Optional<RunOutcome> child(RunScope parent, State state, CallState call, RunDefinition definition) {
        RunId runId = call.child().runId();
        RequestContext context = parent.contextOf(call);
        Optional<RunRecord> there =
                resumed || startedHere.contains(runId) ? environment.store().find(runId) : Optional.empty();
        if (there.isPresent() && !mustResume(there.get())) {
            return Optional.empty();
        }
        AgentPath path = parent.events().path().child(parent.definition().keyOf(call));
        Optional<String> thread =
                there.isPresent() ? there.get().threadId() : childThreads.shared(state, call, definition, path);
        RunInfo info = RunInfo.builder(runId, path, definition.id())
                .agentName(definition.name())
                .version(definition.version())
                .tenantId(environment.tenantId())
                .threadId(thread.orElse(null))
                .requestContext(context)
                .build();
        Supplier<RunOutcome> run = () -> RunOutcome.within(
                scope.callouts().instruments().beginRun(info, root),
                () -> advanced(parent, state, call, definition, context, there));
        if (thread.isEmpty()) {
            return Optional.of(run.get());
        }
        try (ThreadQueues.Turn turn = environment.join(thread.get(), runId)) {
            parent.events().wakeReaders();
            turn.await(parent.cancellation());
            return Optional.of(run.get());
        }
    }

    private RunOutcome advanced(
            RunScope parent,
            State state,
            CallState call,
            RunDefinition definition,
            RequestContext context,
            Optional<RunRecord> there) {
        OptionValues hooks = definition.defaultOptions();
        InheritedScope above = InheritedScope.childOf(parent);
        if (there.isEmpty()) {
            RunOpening opening = openings.of(parent, state, call, definition, context);
            RunId runId = call.child().runId();
            return start(definition, runId, () -> opening, environment.ownerOf(root), hooks, context, above)
                    .advance();
        }
        RunRecord seen = there.get();
        Journal journal = environment.load(definition, seen, epoch);
        return seen.status().isEnded()
                ? RunOutcome.ended(journal.state(), null)
                : resume(definition, journal, hooks, context, above).advance();
    }

    /** A run that waits is left alone unless a delivery wakes it or a nested run, or it has waited too long. */
    private boolean mustResume(RunRecord run) {
        Instant now = environment.time().now();
        return run.status() != RunStatus.SUSPENDED
                || inbox.wakes(run.runId())
                || run.expiresAt().filter(at -> !at.isAfter(now)).isPresent();
    }
}
