package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds one fact into a state: what all kinds of run have. Other parts of the state are unchanged, except that a run does not wait any
 * more.
 */
abstract class Fold {

    private final State before;

    private State.Origin origin;
    private @Nullable Instant waitsUntil;
    private @Nullable StopReason stop;
    private List<String> unread;
    private Spending spent;
    private Instant lastAt;
    private Duration idle;

    Fold(State before, Fact fact) {
        this.before = before;
        origin = before.origin();
        stop = before.stop();
        unread = before.unread();
        spent = before.spent();
        lastAt = isCopying() ? before.lastAt() : fact.at(); // a copied fact happened before the run
        idle = idleBefore(fact);
    }

    /** Fold a fact, once. */
    final void add(Fact fact) {
        switch (fact) {
            case Fact.Started ignored ->
                throw new IllegalStateException("Run " + before.runId() + " was started twice.");
            case Fact.ExecutionStarted execution ->
                origin = new State.Origin(before.runId(), StartedFacts.executing(before.started(), execution));
            case Fact.Suspended suspended -> add(suspended);
            case Fact.Resumed ignored -> {} // but the time before it is not the run's
            case Fact.CallOpened opened -> {
                calls(before.openCalls().after(opened));
                if (countsAsToolCall(before.openCall(opened.callId()))) {
                    spent = spent.plusToolCall();
                }
            }
            case Fact.CallParked parked -> calls(before.openCalls().after(parked));
            case Fact.CallDecided decided -> {
                calls(before.openCalls().after(decided));
                spend(decided.from() == null ? Spending.NOTHING : decided.from().spent());
            }
            case Fact.CallClosed closed -> {
                calls(before.openCalls().after(closed, referenceFor(closed)));
                spend(closed.child() == null ? Spending.NOTHING : closed.child().spent());
            }
            case Fact.Stopped stopped -> {
                cutShort(stopped);
                ends(stopped.reason(), stopped.unread());
                spent = spent.plus(stopped.spent());
            }
            case Fact.Said ignored -> addOwn(fact);
            case Fact.Recalled ignored -> addOwn(fact);
            case Fact.Answered ignored -> addOwn(fact);
            case Fact.Processed ignored -> addOwn(fact);
            case Fact.StepClosed ignored -> addOwn(fact);
            case RoundFact ignored -> addOwn(fact);
        }
    }

    /** Fold a fact that only some kinds of run have. */
    abstract void addOwn(Fact fact);

    /** Take other states of the calls of what is open. */
    abstract void calls(StepCalls changed);

    /** Close what is open, at the end of the run. */
    abstract void cutShort(Fact.Stopped stopped);

    /** Return whether a call that opens counts as one of a tool. */
    abstract boolean countsAsToolCall(CallState call);

    /** Return the id under which later delegations may name the result of a call, or null if it has none. */
    abstract @Nullable String referenceFor(Fact.CallClosed closed);

    /** Return where the run comes from after the fact. */
    final State.Origin origin() {
        return origin;
    }

    /** Return how far the run is after the fact. */
    final Progress progress() {
        return new Progress(waitsUntil, stop, unread, spent, lastAt, idle);
    }

    /** The run ends, if there is a reason for it. */
    final void ends(@Nullable StopReason reason, List<String> messagesUnread) {
        stop = reason;
        unread = messagesUnread;
    }

    /** What a step that was copied used is on the account of the run that it was copied from. */
    final void spend(Spending cost) {
        if (!isCopying()) {
            spent = spent.plus(cost);
        }
    }

    /** Return whether the steps that the run has of another were not complete before the fact. */
    final boolean isCopying() {
        return before.started().fork() != null
                && before.stepsOver() < before.started().fork().step();
    }

    private void add(Fact.Suspended suspended) {
        waitsUntil = suspended.expiresAt();
        lastAt = suspended.at();
        idle = before.progress().idle();
    }

    /** The time before a fact is not the run's if the run waited, or if no process executed it. */
    private Duration idleBefore(Fact fact) {
        return before.waitsUntil() != null || before.started().submitted() || fact instanceof Fact.Resumed
                ? before.progress().idle().plus(Progress.between(before.lastAt(), fact.at()))
                : before.progress().idle();
    }
}
