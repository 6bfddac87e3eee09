package dev.chargehand.internal.agent;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.act.ActStage;
import dev.chargehand.internal.agent.act.CallRules;
import dev.chargehand.internal.agent.act.StepExecutor;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.agent.model.ModelFailedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.ChildEnds;
import dev.chargehand.internal.scope.Deliveries;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Phase;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one loop. It asks the state what comes next, lets a stage do it, and puts what the stage says stored; so
 * starting, resuming and taking over are the same call. Used by one thread.
 */
public final class Loop {

    private static final Log LOG = Log.of(Loop.class);

    private final RunScope run;
    private final Journal journal;
    private final Narrator narrator;
    private final Stages stages;
    private final ActStage act;
    private final Deliveries deliveries;

    private final Stages.Work work = new Stages.Work() {
        @Override
        public Journal journal() {
            return journal;
        }

        @Override
        public void record() {
            Loop.this.record();
        }

        @Override
        public boolean recordUnlessDelivered() {
            return Loop.this.recordUnlessDelivered();
        }
    };

    /** Prepare a run for being advanced. */
    public Loop(RunScope run, Journal journal, Narrator narrator, Stages stages) {
        this.run = run;
        this.journal = journal;
        this.narrator = narrator;
        this.stages = stages;
        this.act = new ActStage(run, stages.executor());
        this.deliveries = run.root().deliveries();
    }

    /**
     * Advance the run until it ends, or has nothing left to do but wait.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if it is to end in the middle of a step
     * @throws ModelFailedException if no model answered
     * @throws dev.chargehand.error.ChargehandException if a store or a hook it needs failed
     */
    public void advance() {
        while (true) {
            State s = journal.state();
            if (s.phase() != Phase.END) {
                leaveIfReleased();
            }
            switch (s.phase()) {
                case END -> {
                    record();
                    return;
                }
                case ASK -> stages.ask(work);
                case ACT -> {
                    CallRules rules = stages.rules(s);
                    new StepExecutor(run, journal, stages.opener(), act, rules, this::record, this::leaveIfReleased)
                            .execute();
                    if (rules.isWaiting(journal.state()) && !isSuperseded(rules) && suspend(journal.state())) {
                        return;
                    }
                }
                case DECIDE -> decide();
            }
        }
    }

    /** Decide about a step. A run that is released before the decision is left with what its last calls gave, which is stored with it. */
    private void decide() {
        try {
            stages.decide(work);
        } catch (RunLeftException e) {
            record();
            throw e;
        }
    }

    /**
     * Leave a run that is released where it stands; what has happened is stored before.
     *
     * @throws RunLeftException if it is
     */
    private void leaveIfReleased() {
        run.cancellation().passSafePoint();
        if (run.cancellation().isReleased()) {
            record();
            run.cancellation().admit();
        }
    }

    /** A bail wins over what waits, and so may a failure; return whether one does. */
    private boolean isSuperseded(CallRules rules) {
        State s = journal.state();
        if (s.bails() == 0 && !rules.isCancelled(s)) {
            return false;
        }
        ChildEnds children = childEnds(s, new StopReason.Cancelled(BailArbiter.BAIL));
        for (CallState call : s.pendingCalls()) {
            journal.add(act.supersede(call, children, s.bails() == 0));
        }
        List<Journal.Stored> stored = commit(children.journals());
        children.narrate();
        narrator.narrate(stored);
        return true;
    }

    /**
     * Let go of the run: what it waits for may come days later, and to another process. Returns false if something of
     * it has just arrived, and the run continues.
     */
    private boolean suspend(State s) {
        run.cancellation().check();
        Instant expiresAt = s.pendingCalls().stream()
                .filter(call -> !call.isUnopened()) // it waits for one before it
                .map(call -> call.parked() != null
                        ? call.parked().expiresAt()
                        : run.root().delegations().waitsUntil(call))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        journal.add(new Fact.Suspended(expiresAt, run.now()));
        return recordUnlessDelivered();
    }

    /** Store the added facts unless a delivery to the run must be read first; returns whether they are stored. */
    private boolean recordUnlessDelivered() {
        try {
            record();
            return true;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DELIVERED) {
                throw e;
            }
            deliveries.refresh();
            return false;
        }
    }

    private ChildEnds childEnds(State s, StopReason reason) {
        List<CallState> open =
                s.pendingCalls().stream().filter(CallState::isOpenDelegation).toList();
        return run.root().delegations().ends(run, open, reason);
    }

    /**
     * End the run at any moment.
     *
     * @param partialText what the model had written of its answer
     * @param spent what was used for an answer that did not come
     * @return the state it ended in; after an outage of the store, or where it starts here, for the caller only
     * @throws StoreException {@code FENCED} if another has written since, so that it did not end so
     */
    public State stop(StopReason reason, String partialText, Spending spent) {
        remember(reason);
        if (run.root().outage().failure() == null) {
            ChildEnds children = childEnds(journal.state(), reason);
            try {
                journal.add(TerminalFacts.of(journal.state(), reason, partialText, spent, run.now(), children::of));
                List<Journal.Stored> stored = commit(children.journals());
                children.narrate();
                narrator.narrate(stored);
                return journal.state();
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.FENCED) {
                    throw e;
                }
                LOG.error(
                        "run {}: its end could not be stored: {}",
                        journal.state().runId(),
                        e.getMessage());
                run.root().outage().begin(e);
            }
        }
        return leave(partialText, spent);
    }

    /** How a run ends. */
    private record Ended(List<Journal.Stored> facts) {

        State after() {
            return facts.getLast().after();
        }
    }

    private Ended ended(
            State before,
            StopReason reason,
            String partialText,
            Spending spent,
            Function<CallState, ChildEnd> endOfChild) {
        State after = before;
        List<Journal.Stored> facts = new ArrayList<>();
        for (Fact fact : TerminalFacts.of(before, reason, partialText, spent, run.now(), endOfChild)) {
            after = after.after(fact);
            facts.add(new Journal.Stored(fact, after));
        }
        return new Ended(facts);
    }

    /** A cancelled root run must not be resumed, even if its store could not be updated. */
    private void remember(@Nullable StopReason reason) {
        if (reason instanceof StopReason.Cancelled cancelled
                && journal.state().started().parentRunId() == null) {
            run.root().outage().cancelled(cancelled);
        }
    }

    /** End the run for its caller, with what there was of its answer; in the store it stays as it is. */
    private State leave(String partialText, Spending spent) {
        StopReason reason = run.root().outage().reason(run.root().redactor());
        Function<CallState, ChildEnd> endOfChild = call -> TerminalFacts.endOfChild(call, reason);
        State latest = journal.latest();
        remember(latest.stop());
        String text = partialText.isEmpty() && latest.stop() != null ? latest.text() : partialText;
        narrator.narrate(ended(journal.state(), reason, text, spent, endOfChild).facts());
        return ended(latest, reason, text, spent, endOfChild).after();
    }

    /**
     * Report that the run is over, after all hooks of its end have been called, or that it waits.
     *
     * @param below what it and its descendants wait for, and what these descendants have used
     */
    public void narrateEnd(State ended, WaitingCalls.Below below) {
        narrator.runOver(ended, below);
    }

    /** Stores the added facts, then reports them, so that no reported fact can be lost. */
    private void record() {
        List<Journal.Stored> stored = commit(List.of());
        narrator.narrate(stored);
    }

    /** A failure that leaves open what the store will do later ends all work of the tree, and not its runs. */
    private List<Journal.Stored> commit(List<Journal> nested) {
        if (journal.state().stop() != null) {
            run.root().outage().check(); // a run that was interrupted because of it does not end
        }
        if (journal.isSlow()) {
            run.events().wakeReaders();
        }
        try {
            return journal.commitAfter(nested);
        } catch (StoreException e) {
            if (Outage.isCause(e)) {
                run.root().outage().begin(e);
            }
            throw e;
        }
    }
}
