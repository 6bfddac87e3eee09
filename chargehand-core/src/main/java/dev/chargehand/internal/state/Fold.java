package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.option.Options;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Folds one fact into a state. Other parts of the state are unchanged, except that a run does not wait any more. */
final class Fold {

    private final State before;

    private State.Origin origin;
    private SharedList<StepState> steps;
    private @Nullable StepState open;
    private @Nullable Instant waitsUntil;
    private SharedList<Fact.Processed> rejected;
    private @Nullable StopReason stop;
    private List<String> unread;
    private String partialText;
    private CallIndex index;
    private Spending spent;
    private Instant lastAt;
    private Duration idle;

    private Fold(State before, Fact fact) {
        this.before = before;
        origin = before.origin();
        steps = before.allSteps().over();
        open = before.open();
        rejected = before.allSteps().rejected();
        stop = before.stop();
        unread = before.unread();
        partialText = before.partialText();
        index = before.allSteps().index();
        spent = before.spent();
        lastAt = timeOf(fact);
        idle = idleBefore(fact);
    }

    /** Return the state after a fact. */
    static State of(State before, Fact fact) {
        Fold fold = new Fold(before, fact);
        fold.add(fact);
        return before.with(
                fold.origin,
                new Progress(fold.waitsUntil, fold.stop, fold.unread, fold.spent, fold.lastAt, fold.idle),
                new Steps(fold.steps, fold.open, fold.rejected, fold.partialText, fold.index));
    }

    private void add(Fact fact) {
        switch (fact) {
            case Fact.Started ignored ->
                throw new IllegalStateException("Run " + before.runId() + " was started twice.");
            case Fact.Begun begun ->
                origin = new State.Origin(
                        before.runId(),
                        StartedFacts.begun(before.started(), begun),
                        before.threadTail(),
                        before.remembered());
            case Fact.Suspended suspended -> add(suspended);
            case Fact.Resumed ignored -> {} // but the time before it is not the run's
            case Fact.Said said -> add(said);
            case Fact.Recalled recalled -> {
                origin = before.origin().with(Remembered.withoutTexts(recalled));
                spend(recalled.spent());
            }
            case Fact.Answered answered -> {
                open = begun(answered);
                index = index.plus(steps.size(), open);
                spend(cost(answered));
            }
            case Fact.Processed processed -> add(processed);
            case Fact.CallOpened opened -> add(opened);
            case Fact.CallParked parked -> open = before.step().with(openCalls().after(parked));
            case Fact.CallDecided decided ->
                open = before.step().with(openCalls().after(decided));
            case Fact.CallClosed closed -> {
                open = before.step().with(openCalls().after(closed, referenceFor(closed)));
                spend(cost(closed));
            }
            case Fact.StepClosed closed -> {
                closeStep(closed, closed.at());
                stop = closed.stop();
                unread = closed.unread();
                spend(closed.judged());
            }
            case Fact.Stopped stopped -> {
                closeStep(null, stopped.at());
                stop = stopped.reason();
                unread = stopped.unread();
                partialText = stopped.partialText();
                spent = spent.plus(stopped.spent());
            }
        }
    }

    private StepCalls openCalls() {
        return before.allSteps().openCalls();
    }

    private StepState begun(Fact.Answered answered) {
        return before.begun(
                answered, StepState.executes(answered, before.lastStop().isPresent()));
    }

    private void add(Fact.Suspended suspended) {
        waitsUntil = suspended.expiresAt();
        lastAt = suspended.at();
        idle = before.progress().idle();
    }

    private void add(Fact.Said said) {
        if (open != null || steps.size() != said.step() || steps.isEmpty()) {
            throw new IllegalStateException("Run " + before.runId() + " received text out of turn.");
        }
        steps = steps.with(steps.size() - 1, steps.getLast().followedBy(said));
    }

    private void add(Fact.Processed processed) {
        open = open == null ? null : open.processed(processed);
        if (processed.retry()) {
            rejected = rejected.plus(processed);
        }
        spend(processed.spent());
    }

    private void add(Fact.CallOpened opened) {
        StepState step = before.step();
        open = step.with(openCalls().after(opened));
        if (!step.call(opened.callId()).hasBegun() && !isCopying()) {
            spent = spent.plusToolCall();
        }
    }

    private void closeStep(Fact.@Nullable StepClosed decided, Instant at) {
        if (open != null) {
            steps = steps.plus(open.over(decided, at));
        }
        open = null;
    }

    private @Nullable String referenceFor(Fact.CallClosed end) {
        CallState call = before.openCall(end.callId());
        if (!before.started().settings().get(Options.RESULT_REFERENCES)
                || end.child() == null
                || end.text().isBlank()) {
            return null;
        }
        String reference = index.nextReference(call.agentKey());
        index = index.plusReference(call.agentKey(), call.callId());
        return reference;
    }

    /** What a step that was copied used is on the account of the run that it was copied from. */
    private void spend(Spending cost) {
        if (!isCopying()) {
            spent = spent.plus(cost);
        }
    }

    /** Return whether the steps that the run has of another were not complete before the fact. */
    private boolean isCopying() {
        return before.started().fork() != null
                && before.steps().size() < before.started().fork().step();
    }

    /** A copied fact happened before the run, whose time starts with its own first fact. */
    private Instant timeOf(Fact fact) {
        return isCopying() ? before.lastAt() : fact.at();
    }

    /** The time before a fact is not the run's if the run waited, or if no process executed it. */
    private Duration idleBefore(Fact fact) {
        return before.waitsUntil() != null || before.started().submitted() || fact instanceof Fact.Resumed
                ? before.progress().idle().plus(Progress.between(before.lastAt(), fact.at()))
                : before.progress().idle();
    }

    private Spending cost(Fact.Answered answered) {
        Map<String, Usage> usage = Map.of(before.agentId(), answered.usage());
        return new Spending(answered.attempts(), 0, answered.characters(), answered.cost(), usage);
    }

    private static Spending cost(Fact.CallClosed closed) {
        return closed.child() == null ? Spending.NOTHING : closed.child().spent();
    }
}
