package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.TerminalFacts;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.history.CatchUp;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventSink;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.HookCalls;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads runs that no process executes, and ends them in the store. */
public final class SuspendedRuns {

    private static final Log LOG = Log.of(SuspendedRuns.class);

    /** How often one tries to end a run that is running elsewhere, before it is left to end by itself. */
    private static final int MOST_ATTEMPTS = 10;

    private final RuntimeEnvironment environment;
    private final @Nullable EventSink sink;
    private final BoundedCalls callouts;

    /**
     * Make it.
     *
     * @param sink where ends are emitted, or null if there are no listeners
     * @param context what the caller had on its thread
     */
    public SuspendedRuns(RuntimeEnvironment environment, @Nullable EventSink sink, CallerContext context) {
        this.environment = environment;
        this.sink = sink;
        this.callouts = environment.callouts().with(context);
    }

    /** Return what continues the events of a run that another process has taken. */
    Runnable catchUp(State run) {
        EventSink readers = sink;
        return readers == null
                ? () -> {}
                : new CatchUp(
                        environment.store(),
                        environment.tenantId(),
                        run.runId(),
                        run.path(),
                        readers,
                        environment.time())::narrate;
    }

    RuntimeEnvironment environment() {
        return environment;
    }

    /** Return whether a run still belongs to the writer of a journal. */
    boolean isMine(Journal journal) {
        Store store = environment.store();
        return store.find(journal.state().started().rootRunId())
                .filter(root ->
                        root.epoch() == journal.epoch() && root.owner().equals(environment.ownerOf(root.runId())))
                .flatMap(root -> store.find(journal.state().runId()))
                .filter(run -> !run.status().isEnded())
                .isPresent();
    }

    /** Return whether a run is known to have been taken over from the writer of a journal. */
    boolean isTaken(Journal journal) {
        RunId runId = journal.state().runId();
        try {
            return environment
                    .store()
                    .find(runId)
                    .filter(run -> run.epoch() != journal.epoch())
                    .isPresent();
        } catch (StoreException e) {
            LOG.debug("run {}: whether it was taken over cannot be read: {}", runId, e.getMessage());
            return false;
        }
    }

    /** Return what a run and its descendants wait for, in the order of the calls, and what these descendants have used. */
    WaitingCalls.Below below(State state) {
        return below(environment.store(), state);
    }

    /** Return the same of the runs of a store. */
    public static WaitingCalls.Below below(Store store, State state) {
        return WaitingCalls.below(state, runId -> store.find(runId)
                .filter(child -> !child.status().isEnded())
                .map(child -> look(store, child)));
    }

    /** Read where a run stands, without what its thread held before it. */
    public static State look(Store store, RunRecord run) {
        return Journal.look(store, run);
    }

    /**
     * Prepare the ends of the child runs of open delegations of a run.
     *
     * @param epoch the epoch of their root run
     * @param definition the definition of the run, whose sub-agents they are
     */
    TreeEnds ends(List<CallState> delegations, long epoch, StopReason reason, RunDefinition definition) {
        TreeEnds ends = new TreeEnds(this, epoch, reason);
        for (CallState call : delegations) {
            ends.add(call, environment.definitions().ofEndingChild(definition, call));
        }
        return ends;
    }

    /**
     * End a run and its descendants in one transaction. The process that executes it can no longer write to it.
     *
     * @param seen the run as it was seen
     * @param definition its definition, whose sub-agents are notified of the ends of its descendants; null if it is not here
     * @param hooks those of the run
     * @throws StoreException {@code FENCED} if another process has continued it since
     */
    public State end(RunRecord seen, StopReason reason, @Nullable RunDefinition definition, OptionValues hooks) {
        if (seen.status().isEnded()) {
            return look(environment.store(), seen);
        }
        TreeEnds ends = new TreeEnds(this, epochOf(seen), reason);
        State ended = ends.add(seen, definition, hooks);
        ends.commit();
        ends.narrate();
        return ended;
    }

    /** A root run that a store does not keep any more has ended, with all its nested runs. */
    private long epochOf(RunRecord run) {
        return run.isRoot()
                ? run.epoch()
                : environment
                        .store()
                        .find(run.rootRunId())
                        .map(RunRecord::epoch)
                        .orElse(run.epoch());
    }

    /** End a run that was cancelled, or failed, before it was its turn to start; nothing of it is stored. */
    public State neverStarted(Fact.Started started, StopReason reason, OptionValues hooks) {
        State before = State.of(started.rootRunId(), started, List.of());
        return ended(before, List.of(new Journal.Stored(started, before)), reason, hooks);
    }

    /** End a run for its caller, where the store has failed; in the store it stays as it is. */
    State left(State before, StopReason reason, OptionValues hooks) {
        return ended(before, List.of(), reason, hooks);
    }

    private State ended(State before, List<Journal.Stored> unstored, StopReason reason, OptionValues hooks) {
        List<Journal.Stored> facts = new ArrayList<>(unstored);
        State after = before;
        for (Fact fact : TerminalFacts.of(
                before,
                reason,
                "",
                Spending.NOTHING,
                environment.time().now(),
                call -> TerminalFacts.endOfChild(call, reason))) {
            after = after.after(fact);
            facts.add(new Journal.Stored(fact, after));
        }
        narrateEnd(before, facts, after, hooks);
        return after;
    }

    /** End a run below one that has ended, if it exists and has not ended; what hinders that is logged. */
    public void end(RunId runId, StopReason reason, @Nullable RunDefinition definition) {
        Optional<State> ignored =
                end(runId, reason, definition, definition == null ? OptionValues.DEFAULT : definition.defaultOptions());
    }

    /**
     * End a run that waits, or was left; what hinders that is logged. Its hooks are called if it waited; the hooks of
     * a running run are called by the process that executes it.
     *
     * @return where it ended; nothing if it had ended, is missing or could not be ended
     */
    public Optional<State> end(RunId runId, StopReason reason, @Nullable RunDefinition definition, OptionValues hooks) {
        for (int attempts = 1; ; attempts++) {
            try {
                return environment
                        .store()
                        .find(runId)
                        .filter(run -> !run.status().isEnded())
                        .map(run -> end(run, reason, definition, hooksOfEnd(run, hooks)));
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.FENCED || attempts == MOST_ATTEMPTS) {
                    LOG.warn("run {}: it could not be ended with the run above it: {}", runId, e.getMessage());
                    return Optional.empty();
                }
            }
        }
    }

    /** Return the hooks to call when a run is ended in the store. */
    public static OptionValues hooksOfEnd(RunRecord run, OptionValues hooks) {
        return run.status() == RunStatus.RUNNING ? OptionValues.DEFAULT : hooks;
    }

    /** End a run for the reason for which the one above it has ended. */
    public void endLikeAbove(RunRecord run) {
        run.parentRunId().flatMap(this::endOf).ifPresent(reason -> end(run.runId(), reason, null));
    }

    /** Return why a run has ended, if it has. */
    Optional<StopReason> endOf(RunId runId) {
        return environment
                .store()
                .find(runId)
                .filter(run -> run.status().isEnded())
                .flatMap(run -> look(environment.store(), run).stopReason());
    }

    private static boolean isSupervisor(State state) {
        Boolean stored = state.started().iterations();
        return stored == null ? !state.conversation().subAgentsInvoked().isEmpty() : stored;
    }

    void narrateEnd(State before, List<Journal.Stored> facts, State ended, OptionValues hooks) {
        RunEvents events = new RunEvents(sink, before.runId(), before.path());
        Narrator narrator = RunAssembly.of(before.started().settings())
                .assemble(events, isSupervisor(before), 0)
                .narrator();
        narrator.continueAt(before);
        narrator.narrate(facts);
        ThreadLink thread = before.started().thread();
        DefinitionLink link = before.started().definition();
        HookCalls calls = new HookCalls(
                callouts,
                environment.redactor(),
                before.started().settings().get(Options.TIME_LIMITS).get(TimeLimit.HOOK),
                events,
                CallSite.of(
                        CallInfo.Kind.HOOK,
                        "",
                        RunInfo.builder(
                                        before.runId(),
                                        before.path(),
                                        before.started().agentId())
                                .agentName(before.started().displayName())
                                .version(link == null ? null : link.version())
                                .tenantId(environment.tenantId())
                                .threadId(thread == null ? null : thread.id())
                                .build(),
                        before.started().rootRunId()));
        Cancellation none = new Cancellation();
        new EndHooks(calls, hooks, environment.stepResults()).notifyHook(ended, none);
        if (before.status() != RunStatus.RUNNING) { // else the process that executes it does so
            TaskDispatch.turnMayWait(environment, ended);
            TaskDispatch.taskEnded(environment, calls, none, ended);
        }
        narrator.runOver(ended, WaitingCalls.Below.NOTHING);
    }
}
