package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports facts as events, once they are stored. Used by the run's own thread only.
 */
public final class Narrator {

    private final RunEvents events;
    private final KindEvents kind;
    private final TaskEvents task;

    /** Make the narrator of a run. */
    public Narrator(RunEvents events, KindEvents kind) {
        this.events = events;
        this.kind = kind;
        this.task = new TaskEvents(events);
    }

    /** Report that a run continues. */
    private void resumed(State state) {
        events.emit(
                state.stepNumber(),
                Slot.RUN_RESUME,
                o -> new RunEvent.RunResume(o, state.agentId(), state.started().displayName()));
        continueAt(state);
    }

    /** Continue a run whose earlier events were emitted elsewhere; the start of an open step was emitted before. */
    public void continueAt(State state) {
        kind.continueAt(state);
    }

    /** Report what comes before a fact that was not reported as it happened: the start of its step. */
    public void catchUp(Fact fact) {
        kind.catchUp(fact);
    }

    /** Report facts that are stored. The end of a run, and that it waits, is reported by {@link #runOver}. */
    public void narrate(List<Journal.Stored> facts) {
        events.emitQuietly(() -> facts.forEach(stored -> narrate(stored, false)));
    }

    /** Report facts that were not reported as they happened; see the method for one of them. */
    public void replay(List<Journal.Stored> facts) {
        for (int i = 0; i < facts.size(); i++) {
            replay(facts.get(i), i + 1 < facts.size() ? facts.get(i + 1).fact() : null);
        }
    }

    /**
     * Report a stored fact that was not reported as it happened: with the start of its step, and with the whole text of
     * an answer.
     *
     * @param next the next stored fact of the run, if it was stored together with this one, or null
     */
    public void replay(Journal.Stored stored, @Nullable Fact next) {
        catchUp(stored.fact());
        boolean withheld = next instanceof Fact.Processed processed && processed.withheld();
        events.emitQuietly(() -> narrate(stored, !withheld));
    }

    private void narrate(Journal.Stored stored, boolean withText) {
        State after = stored.after();
        events.begin(stored.position(), stored.fact().at());
        if (!events.hasReaders()) {
            note(stored.fact(), after);
        } else {
            if (withText) {
                kind.wholeText(stored.fact(), after);
            }
            narrate(stored.fact(), after);
        }
        if (!after.isAtRest()) {
            events.passed();
        }
    }

    private void note(Fact fact, State after) {
        if (fact instanceof Fact.Resumed) {
            continueAt(after);
        } else {
            kind.note(fact, after);
        }
    }

    private void narrate(Fact fact, State after) {
        switch (fact) {
            case Fact.Started started -> {
                started(started);
                kind.narrate(started, after);
            }
            case Fact.Resumed ignored -> resumed(after);
            default -> kind.narrate(fact, after);
        }
        task.narrate(fact, after);
    }

    private void started(Fact.Started started) {
        ThreadLink thread = started.thread();
        DefinitionLink definition = started.definition();
        events.emit(
                0,
                Slot.RUN_START,
                o -> new RunEvent.RunStart(
                        o,
                        started.agentId(),
                        started.displayName(),
                        started.parentRunId(),
                        thread == null ? null : thread.id(),
                        started.fork(),
                        definition == null ? null : definition.version()));
    }

    /** Emit that this process does not execute the run any more, which has not ended. */
    public void left(int step) {
        events.emit(step, RunEvent.RunReleased::new);
    }

    /**
     * Report that the run is over: its last event, so emitted after the hooks of its end; or that it waits. The event
     * belongs to the last reported fact.
     *
     * @param below what it and its descendants wait for, and what these descendants have used
     */
    public void runOver(State after, WaitingCalls.Below below) {
        if (after.started().parentRunId() == null) {
            over(after, below);
        } else {
            events.emitQuietly(() -> over(after, below)); // the run above goes on
        }
    }

    private void over(State after, WaitingCalls.Below below) {
        int step = after.stepNumber();
        if (after.status() == RunStatus.SUSPENDED) {
            task.over(after);
            events.emit(
                    step,
                    Slot.RUN_SUSPEND,
                    o -> new RunEvent.RunSuspend(
                            o, below.calls(), below.spentWith(after).totalUsage(), after.activeTime()));
            events.passed();
            return;
        }
        StopReason reason = after.stopReason().orElseThrow();
        if (reason instanceof StopReason.Failed failed) {
            events.emit(
                    step,
                    Slot.ERROR,
                    o -> new RunEvent.Error(
                            o, failed.error(), failed.message(), failed.retryable(), failed.providerMessage()));
        } else if (reason instanceof StopReason.Cancelled cancelled) {
            events.emit(step, Slot.ABORT, o -> new RunEvent.Abort(o, cancelled.by()));
        } else {
            kind.runOver(after, reason);
        }
        task.over(after);
        events.emit(
                step,
                Slot.RUN_FINISH,
                o -> new RunEvent.RunFinish(
                        o,
                        reason.status(),
                        reason,
                        after.text(),
                        after.spent().totalUsage(),
                        after.activeTime(),
                        after.unread()));
        events.passed();
    }
}
