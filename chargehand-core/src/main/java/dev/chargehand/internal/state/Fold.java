package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Folds one fact into a state. Other parts of the state are unchanged, except that a run does not wait any more. */
final class Fold {

    private final State before;

    private List<StepState> steps;
    private @Nullable StepState open;
    private @Nullable Instant waitsUntil;
    private List<Fact.Processed> rejected;
    private @Nullable StopReason stop;
    private String partialText;
    private Spending spent;
    private Instant lastAt;
    private Duration idle;

    private Fold(State before, Fact fact) {
        this.before = before;
        steps = before.steps();
        open = before.open();
        rejected = before.rejected();
        stop = before.stop();
        partialText = before.partialText();
        spent = before.spent();
        lastAt = timeOf(fact);
        idle = idleBefore(fact);
    }

    /** Return the state after a fact. */
    static State of(State before, Fact fact) {
        Fold fold = new Fold(before, fact);
        fold.add(fact);
        return new State(
                before.runId(),
                before.started(),
                before.threadTail(),
                fold.steps,
                fold.open,
                fold.waitsUntil,
                fold.rejected,
                fold.stop,
                fold.partialText,
                fold.spent,
                fold.lastAt,
                fold.idle);
    }

    private void add(Fact fact) {
        switch (fact) {
            case Fact.Started ignored ->
                throw new IllegalStateException("Run " + before.runId() + " was started twice.");
            case Fact.Suspended suspended -> add(suspended);
            case Fact.Resumed ignored -> {} // but the time before it is not the run's
            case Fact.Said said -> add(said);
            case Fact.Answered answered -> {
                open = StepState.of(answered, before.lastStop().isPresent(), before.isRouting());
                spend(cost(answered));
            }
            case Fact.Processed processed -> add(processed);
            case Fact.CallOpened opened -> add(opened);
            case Fact.CallParked parked -> open = before.step().parked(parked);
            case Fact.CallDecided decided -> open = before.step().decided(decided);
            case Fact.CallClosed closed -> {
                open = before.step().closed(closed, referenceFor(closed));
                spend(cost(closed));
            }
            case Fact.StepClosed closed -> {
                closeStep(closed, closed.at());
                stop = closed.stop();
                spend(closed.judged());
            }
            case Fact.Stopped stopped -> {
                closeStep(null, stopped.at());
                stop = stopped.reason();
                partialText = stopped.partialText();
                spent = spent.plus(stopped.spent());
            }
        }
    }

    private void add(Fact.Suspended suspended) {
        waitsUntil = suspended.expiresAt();
        lastAt = suspended.at();
        idle = before.idle();
    }

    private void add(Fact.Said said) {
        if (open != null || steps.size() != said.step() || steps.isEmpty()) {
            throw new IllegalStateException("Run " + before.runId() + " received text out of turn.");
        }
        List<StepState> same = new ArrayList<>(steps);
        same.set(same.size() - 1, steps.getLast().followedBy(said));
        steps = same;
    }

    private void add(Fact.Processed processed) {
        open = open == null ? null : open.processed(processed);
        if (processed.retry()) {
            List<Fact.Processed> more = new ArrayList<>(rejected);
            more.add(processed);
            rejected = more;
        }
        spend(processed.spent());
    }

    private void add(Fact.CallOpened opened) {
        StepState step = before.step();
        open = step.opened(opened);
        if (!step.call(opened.callId()).hasBegun() && !isCopying()) {
            spent = spent.plusToolCall();
        }
    }

    private void closeStep(Fact.@Nullable StepClosed decided, Instant at) {
        if (open != null) {
            List<StepState> more = new ArrayList<>(steps);
            more.add(open.over(decided, at));
            steps = more;
        }
        open = null;
    }

    private @Nullable String referenceFor(Fact.CallClosed end) {
        CallState call = before.step().call(end.callId());
        if (!before.started().settings().get(Options.RESULT_REFERENCES)
                || end.child() == null
                || end.text().isBlank()) {
            return null;
        }
        long earlier = before.allCalls()
                .filter(other -> other.reference() != null && other.agentKey().equals(call.agentKey()))
                .count();
        return call.agentKey() + "-" + (earlier + 1);
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
        return before.waitsUntil() != null || fact instanceof Fact.Resumed
                ? before.idle().plus(between(before.lastAt(), fact.at()))
                : before.idle();
    }

    private Spending cost(Fact.Answered answered) {
        Map<String, Usage> usage = Map.of(before.agentId(), answered.usage());
        return new Spending(answered.attempts(), 0, answered.characters(), answered.cost(), usage);
    }

    private static Spending cost(Fact.CallClosed closed) {
        return closed.child() == null ? Spending.NOTHING : closed.child().spent();
    }

    /** Return the time between two moments; none if the clock went back. */
    static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
