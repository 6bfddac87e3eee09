package dev.chargehand.internal.engine.history;

import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventCollector;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run of a replayed tree, fact by fact: the emitted part, and the next fact. */
final class PastRun {

    private final RunId runId;
    private final int depth;
    private final @Nullable PastRun parent;
    private final List<Moment> moments = new ArrayList<>();
    private final Narrator narrator;
    private int narrated;
    private @Nullable State state;
    private @Nullable String owner;
    private int resumptions;
    private int resumptionAbove;

    /** Something to report. */
    private sealed interface Moment {
        Instant at();

        /** Return the tree position of the fact that says it; 0 if it has none. */
        long position();
    }

    /** A step started, as the answer to it says. */
    private record StepStart(Fact fact, Instant at, long position) implements Moment {}

    /** A fact was stored; {@code next} is what was stored after it, if anything was. */
    private record Happened(Journal.Stored stored, @Nullable Fact next) implements Moment {
        @Override
        public long position() {
            return stored.position();
        }

        @Override
        public Instant at() {
            return stored.fact().at();
        }
    }

    /**
     * Prepare a run for its events.
     *
     * @param parent the run above it, or null
     * @param supervisor whether its steps are emitted as iterations too
     */
    PastRun(@Nullable PastRun parent, List<Journal.Stored> facts, boolean supervisor, EventCollector collector) {
        State first = facts.getFirst().after();
        this.runId = first.runId();
        this.depth = first.path().depth();
        this.parent = parent;
        int lastStep = 0;
        for (int i = 0; i < facts.size(); i++) {
            Journal.Stored stored = facts.get(i);
            long position = stored.position();
            if (stored.fact() instanceof Fact.Answered answered && answered.step() > lastStep) {
                moments.add(new StepStart(answered, answered.startedAt(), position));
                lastStep = answered.step();
            }
            if (stored.fact() instanceof Fact.Processed refused && refused.retry() && refused.step() > lastStep) {
                moments.add(new StepStart(refused, refused.at(), position));
                lastStep = refused.step();
            }
            moments.add(
                    new Happened(stored, i + 1 < facts.size() ? facts.get(i + 1).fact() : null));
        }
        RunEvents events = new RunEvents(collector, runId, first.path());
        this.narrator = RunAssembly.of(first.started().settings())
                .assemble(events, supervisor, MaxSteps.of(first.started()))
                .narrator();
    }

    RunId runId() {
        return runId;
    }

    int depth() {
        return depth;
    }

    /** Return whether all facts were emitted. */
    boolean isNarrated() {
        return narrated == moments.size();
    }

    /** Return when what comes next happened. */
    Instant nextAt() {
        return moments.get(narrated).at();
    }

    /** Return the tree position of what comes next; 0 if it has none. */
    long nextPosition() {
        return moments.get(narrated).position();
    }

    /**
     * Return the place of what comes next among things of one moment: a run continues the one above it, which waits
     * again later, and calls are opened together before one of them is executed.
     */
    int nextRank() {
        Fact next = nextFact();
        if (next instanceof Fact.Resumed && parent != null && isSuspended()) {
            return 0;
        }
        if (next instanceof Fact.Suspended) {
            return 1;
        }
        return next instanceof Fact.CallOpened || next instanceof Fact.CallParked ? 2 : 3;
    }

    /** Return whether what comes next can have happened, by the emitted events of its parent and children. */
    boolean isNextDue(Function<RunId, Optional<PastRun>> runs) {
        Fact next = nextFact();
        if (next == null) {
            return true;
        }
        return switch (next) {
            case Fact.Started ignored -> parent == null || parent.hasOpened(runId);
            case Fact.Resumed resumed -> parent == null || parent.resumes(this, resumed.owner());
            case Fact.Suspended ignored ->
                now().pendingCalls().stream()
                        .filter(CallState::isOpenDelegation)
                        .allMatch(call -> runs.apply(call.child().runId())
                                .map(child -> child.isNarrated() || child.isSuspended())
                                .orElse(true));
            case Fact.CallClosed closed ->
                Optional.of(now().openCall(closed.callId()))
                        .filter(CallState::isOpenDelegation)
                        .flatMap(call -> runs.apply(call.child().runId()))
                        .map(PastRun::isNarrated)
                        .orElse(true);
            default -> true;
        };
    }

    private @Nullable Fact nextFact() {
        return moments.get(narrated) instanceof Happened happened
                ? happened.stored().fact()
                : null;
    }

    private State now() {
        if (state == null) {
            throw new IllegalStateException("Run " + runId + " has no facts yet.");
        }
        return state;
    }

    private boolean hasOpened(RunId child) {
        return state != null
                && state.pendingCalls().stream()
                        .filter(CallState::isOpenDelegation)
                        .anyMatch(call -> call.child().runId().equals(child));
    }

    /** Return whether this run is running for an owner, and has not taken the run below up since it is. */
    private boolean resumes(PastRun below, String who) {
        return state != null
                && state.status() == RunStatus.RUNNING
                && who.equals(owner)
                && resumptions > below.resumptionAbove;
    }

    private boolean isSuspended() {
        return state != null && state.status() == RunStatus.SUSPENDED;
    }

    /** Return the state after the last emitted fact, unless the run had ended. */
    Optional<State> unended() {
        return Optional.ofNullable(state).filter(there -> !there.status().isEnded());
    }

    /** Report what comes next. */
    void narrateNext(EventCollector collector, Function<RunId, Optional<State>> below) {
        Moment next = moments.get(narrated++);
        collector.at(next.at());
        switch (next) {
            case StepStart start -> narrator.catchUp(start.fact());
            case Happened happened -> {
                narrator.replay(happened.stored(), happened.next());
                State after = happened.stored().after();
                state = after;
                if (happened.stored().fact() instanceof Fact.Resumed resumed) {
                    owner = resumed.owner();
                    resumptions++;
                    resumptionAbove = parent == null ? 0 : parent.resumptions;
                }
                if (after.isAtRest()) {
                    narrator.runOver(
                            after,
                            after.status().isEnded() ? WaitingCalls.Below.NOTHING : WaitingCalls.below(after, below));
                }
            }
        }
    }
}
