package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.internal.limit.CallerContext;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Ledger;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.loop.Delegations;
import dev.chargehand.internal.loop.Ending;
import dev.chargehand.internal.loop.Outage;
import dev.chargehand.internal.loop.RootScope;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.loop.Screening;
import dev.chargehand.internal.loop.StepResults;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.Narrator;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A root run and its descendants while they are live: begins them, takes them up again, and shares what they share. */
final class Tree implements Delegations {

    private final Environment environment;
    private final RootScope scope;
    private final Scopes scopes;
    private final RunId root;
    private final boolean resumed;
    private final @Nullable Answer answer;
    private final Suspensions suspensions;
    private final ChildThreads childThreads;
    private final ChildOpenings openings;
    private final Cancellation cancellation = new Cancellation();
    private final Outage outage = new Outage(cancellation);
    private volatile long lapsesSeen;
    private final Map<RunId, Screening.Screened> screened = new ConcurrentHashMap<>();

    /**
     * Makes a tree.
     *
     * @param root the root run
     * @param settings the root's: their limits and budget hold for the whole tree
     * @param sink where the tree tells its events, or null if nobody listens
     * @param resumed whether children may be in the store already
     * @param answer the answer because of which the tree is taken up, or null
     * @param context what the caller had on its thread
     */
    Tree(
            Environment environment,
            RunId root,
            RunSettings settings,
            @Nullable EventSink sink,
            boolean resumed,
            @Nullable Answer answer,
            CallerContext context) {
        this.environment = environment;
        this.root = root;
        this.lapsesSeen = environment.ownership().lapses();
        this.resumed = resumed;
        this.answer = answer;
        this.suspensions = new Suspensions(environment, sink, context);
        this.childThreads = new ChildThreads(environment.store(), environment.ids());
        this.openings = new ChildOpenings(environment, childThreads);
        this.scope = new RootScope(
                environment.time(),
                environment.ids(),
                environment.jitter(),
                environment.callouts().with(context),
                new Ledger(settings.limits(), settings.budget()),
                environment.redactor(),
                environment.models()::of,
                this,
                this::requireOwned,
                new AtomicBoolean(),
                outage);
        this.scopes = new Scopes(scope, sink);
    }

    private void requireOwned() {
        long lapses = environment.ownership().lapses();
        if (lapses != lapsesSeen) {
            if (!environment.ownership().owns(root)) {
                throw RunLeft.lost();
            }
            lapsesSeen = lapses;
        }
    }

    RootScope scope() {
        return scope;
    }

    Suspensions suspensions() {
        return suspensions;
    }

    /** Returns whether the store of the tree has failed. */
    Outage outage() {
        return outage;
    }

    /** Returns what ends the whole tree. */
    Cancellation cancellation() {
        return cancellation;
    }

    /** Begins the root run. */
    LiveRun start(Agent agent, RunId runId, Supplier<Opening> opening, RunHooks hooks, RequestContext context) {
        return start(agent, runId, opening, hooks, context, Above.root(cancellation));
    }

    /** Begins a run: what can be wrong with its definition is found before anything is stored. */
    private LiveRun start(
            Agent agent, RunId runId, Supplier<Opening> from, RunHooks hooks, RequestContext context, Above above) {
        Opening asked = from.get();
        Fact.Started started = asked.started();
        RunScope run = scopes.of(agent, runId, started, hooks, context, above);
        Screening.Screened passed = screens(hooks) ? screened(run, asked) : null;
        Opening opening = passed == null ? asked : screened(from.get(), passed); // the thread may have grown
        Journal journal = Journal.start(environment.store(), runId, environment.owner(), opening);
        Narrator narrator = narratorOf(run, agent);
        narrator.tell(List.of(new Journal.Stored(opening.started(), journal.state())));
        opening.added().forEach(fact -> narrator.tell(List.of(new Journal.Stored(fact, journal.state()))));
        return new LiveRun(run, journal, narrator, suspensions, passed == null ? null : passed.failure());
    }

    /** Tells whether the input of a run is looked at before the run begins, which may take its time. */
    static boolean screens(RunHooks hooks) {
        return !hooks.inputProcessors(InputProcessor.class).isEmpty();
    }

    /** Processors are asked once, though a run that has to wait for its thread tries to begin several times. */
    private Screening.Screened screened(RunScope run, Opening asked) {
        RunId runId = run.info().runId();
        Screening.Screened passed = screened.get(runId);
        if (passed == null) {
            passed = new Screening(run).screen(asked.started(), asked.said());
            screened.put(runId, passed);
        }
        return passed;
    }

    private Opening screened(Opening opening, Screening.Screened passed) {
        List<Fact> facts = passed.facts(environment.time().now(), environment.redactor());
        return opening.screened(passed.input(), passed.said(), facts);
    }

    private static Narrator narratorOf(RunScope run, Agent agent) {
        return new Narrator(
                run.events(), Narrator.Steps.of(run.settings(), !agent.agents().isEmpty()), run.maxSteps());
    }

    private LiveRun live(RunScope run, Journal journal, Narrator narrator) {
        return new LiveRun(run, journal, narrator, suspensions, null);
    }

    /** Takes the root run up that was claimed for this process and has not ended. */
    LiveRun resume(Agent agent, Journal journal, RunHooks hooks, RequestContext more) {
        return resume(agent, journal, hooks, more, Above.root(cancellation));
    }

    private LiveRun resume(Agent agent, Journal journal, RunHooks hooks, RequestContext more, Above above) {
        Fact.Started started = journal.state().started();
        RequestContext context =
                RequestContext.restore(started.requestContext()).merge(more);
        RunScope run = scopes.of(agent, journal.state().runId(), started, hooks, context, above);
        Narrator narrator = narratorOf(run, agent);
        Instant now = environment.time().now();
        journal.add(new Fact.Resumed(environment.owner(), now));
        journal.add(Ending.ofInterrupted(run, journal.state(), now));
        Answer mine = answer != null && answer.runId().equals(run.events().runId()) ? answer : null;
        if (mine != null) {
            journal.add(mine.fact().apply(now)); // it was given in time: what it answers has not expired
        }
        journal.add(Ending.ofExpired(journal.state(), now));
        List<Journal.Stored> facts = journal.commit();
        if (mine != null) {
            mine.recorded().set(true);
        }
        endWhatIsClosed(journal.state());
        enter(journal.state().spent());
        enterWhatWaits(journal.state());
        narrator.tell(facts);
        return live(run, journal, narrator);
    }

    /** Returns the end of a run for its caller, while it stays in the store as it is. */
    State left(State state, RunHooks hooks) {
        return suspensions.left(state, outage.reason(scope.redactor()), hooks);
    }

    /** A process that closed a delegation may have died before it ended the run below, which nobody would end later. */
    private void endWhatIsClosed(State state) {
        state.endedChildren().forEach(child -> suspensions.end(child.runId(), child.stop(), null));
    }

    /** What waits below a run is not live, but what it has spent is of this tree's budget. */
    private void enterWhatWaits(State state) {
        for (CallState call : state.pendingCalls()) {
            if (call.isOpenDelegation()) {
                environment
                        .store()
                        .find(call.child().runId())
                        .filter(child -> !child.status().isEnded() && !isToBeTakenUp(child))
                        .ifPresent(child -> enter(suspensions.spent(child)));
            }
        }
    }

    private void enter(Spent spent) {
        scope.ledger()
                .enter(
                        spent.modelCalls(),
                        spent.toolCalls(),
                        spent.outputCharacters(),
                        spent.totalUsage().totalTokens(),
                        spent.cost());
    }

    @Override
    public Optional<Ended> run(RunScope parent, State state, CallState call) {
        Agent agent = Objects.requireNonNull(parent.agent().agents().get(call.agentKey()));
        try {
            Optional<State> child = child(parent, state, call, agent);
            outage.check(); // the child may have ended for its caller only
            return child.filter(at -> at.status() != RunStatus.SUSPENDED).map(Tree::ended);
        } catch (RunInterrupted e) {
            return Optional.of(notAdvanced(parent, call, e.reason()));
        } catch (ChargehandException e) {
            if (e instanceof StoreException failure && failure.kind() == StoreException.Kind.FENCED) {
                throw RunLeft.lost(); // who takes a run takes those below it after it
            }
            if (e instanceof StoreException failure && Outage.isCause(failure)) {
                outage.begin(failure);
            }
            return Optional.of(notAdvanced(parent, call, scope.redactor().failure(e)));
        }
    }

    private static Ended ended(State child) {
        Fact.ThreadLink thread = child.started().thread();
        return new Ended(
                Results.childEnd(child),
                () -> StepResults.of(child).stream()
                        .flatMap(step -> step.toolResults().stream())
                        .toList(),
                thread == null ? null : thread.id());
    }

    @Override
    public Instant waitsUntil(CallState call) {
        return environment
                .store()
                .find(call.child().runId())
                .map(RunRecord::expiresAt)
                .orElseThrow(() -> new IllegalStateException("Call " + call.callId() + " does not wait."));
    }

    @Override
    public boolean hasBegun(CallState call) {
        return resumed && environment.store().find(call.child().runId()).isPresent();
    }

    @Override
    public Fact.ChildEnd soFar(CallState call, StopReason reason) {
        return suspensions.soFar(call, reason);
    }

    @Override
    public void end(RunScope parent, CallState call, StopReason reason) {
        suspensions.end(call.child().runId(), reason, parent.agent().agents().get(call.agentKey()));
    }

    /** Ends a child that could not begin, or not go on; one that had begun before must not be left waiting. */
    private Ended notAdvanced(RunScope parent, CallState call, StopReason reason) {
        outage.check();
        if (resumed) {
            requireOwned(); // another process may execute it now
        }
        Fact.ChildEnd end = resumed ? suspensions.soFar(call, reason) : Ending.endOfChild(call, reason);
        if (resumed) {
            end(parent, call, reason);
        }
        return new Ended(end, List::of, null);
    }

    /** Returns where the child stands when nothing more can be done for it; nothing if it waits and is left alone. */
    private Optional<State> child(RunScope parent, State state, CallState call, Agent agent) {
        RunId runId = call.child().runId();
        RequestContext given = call.child().requestContext();
        RequestContext context = given == null
                ? parent.requestContext()
                : parent.requestContext().merge(given);
        Optional<RunRecord> there = resumed ? environment.store().find(runId) : Optional.empty();
        if (there.isPresent() && !isToBeTakenUp(there.get())) {
            return Optional.empty();
        }
        Optional<String> thread = there.isPresent()
                ? Optional.ofNullable(there.get().threadId())
                : childThreads.shared(state, call, agent, parent.events().path().child(call.agentKey()));
        if (thread.isEmpty()) {
            return Optional.of(advanced(parent, state, call, agent, context, there));
        }
        try (ThreadQueues.Turn turn = environment.threads().join(thread.get(), runId)) {
            turn.await(parent.cancellation());
            return Optional.of(advanced(parent, state, call, agent, context, there));
        }
    }

    private State advanced(
            RunScope parent,
            State state,
            CallState call,
            Agent agent,
            RequestContext context,
            Optional<RunRecord> there) {
        RunId runId = call.child().runId();
        RunHooks hooks = agent.defaultOptions().hooks();
        Above above = Above.childOf(parent);
        if (there.isEmpty()) {
            Opening opening = openings.of(parent, state, call, agent, context);
            return start(agent, runId, () -> opening, hooks, context, above)
                    .advance()
                    .state();
        }
        RunRecord seen = there.get();
        RunRecord claimed = environment.store().claim(runId, seen.epoch(), seen.length(), environment.owner());
        Journal journal = environment.load(agent, claimed);
        return claimed.status().isEnded()
                ? journal.state()
                : resume(agent, journal, hooks, context, above).advance().state();
    }

    /** A run that waits is left alone unless the answer is for it or one below it, or it has waited too long. */
    private boolean isToBeTakenUp(RunRecord run) {
        Instant expiresAt = run.expiresAt();
        return run.status() != RunStatus.SUSPENDED
                || (answer != null && answer.path().contains(run.runId()))
                || (expiresAt != null && !expiresAt.isAfter(environment.time().now()));
    }
}
