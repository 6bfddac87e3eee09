package dev.chargehand.internal.run;

import dev.chargehand.RunTakenOverException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.HookException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.loop.Loop;
import dev.chargehand.internal.loop.ModelFailed;
import dev.chargehand.internal.loop.Outage;
import dev.chargehand.internal.loop.ProcessingFailed;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.stream.Narrator;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run, root or nested, while it is being advanced by one thread. */
final class LiveRun {

    private static final Log LOG = Log.of(LiveRun.class);

    private final RunScope scope;
    private final Journal journal;
    private final Narrator narrator;
    private final Loop loop;
    private final Suspensions suspensions;
    private final @Nullable HookException failed;

    /**
     * Prepares a run.
     *
     * @param suspensions looks up what a suspended run and those below it wait for, and how it was ended elsewhere
     * @param failed why it failed before it began, or null
     */
    LiveRun(
            RunScope scope,
            Journal journal,
            Narrator narrator,
            Suspensions suspensions,
            @Nullable HookException failed) {
        this.failed = failed;
        this.suspensions = suspensions;
        this.scope = scope;
        this.journal = journal;
        this.narrator = narrator;
        this.loop = new Loop(scope, journal, narrator);
    }

    /**
     * Advances the run to its end, whatever happens on the way, or to where it can only wait.
     *
     * @throws RunLeft if this process leaves the run as it is in the store
     */
    Outcome advance() {
        Outcome outcome;
        try {
            outcome = mine();
        } catch (RunLeft e) {
            if (e.isLost() && isRoot()) {
                return followed();
            }
            throw left(e);
        }
        new EndHooks(scope.hookCalls(), scope.hooks()).tell(outcome.state(), scope.cancellation());
        loop.tellEnd(outcome.state(), outcome.pending());
        return outcome;
    }

    private Outcome mine() {
        try {
            return toItsEnd();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                return fenced(e);
            }
            throw e;
        }
    }

    /**
     * Finds out why another's writing came first: a run that was only ended there, because it was cancelled, has ended so
     * here too, and did not fail; one that was taken over is lost.
     */
    private Outcome fenced(StoreException e) {
        try {
            if (suspensions.isMine(journal)) { // a write of this process whose outcome it did not know
                scope.root().outage().begin(e);
                return fail(e, "", Spent.NOTHING);
            }
            List<Journal.Stored> since = journal.writtenSince();
            if (!since.isEmpty()
                    && since.getLast().after().status().isEnded()
                    && since.stream().noneMatch(stored -> stored.fact() instanceof Fact.Resumed)) {
                narrator.tell(since);
                return Outcome.ended(since.getLast().after(), null);
            }
        } catch (StoreException unreadable) {
            LOG.warn(
                    "run {}: what became of it could not be read: {}",
                    journal.state().runId(),
                    unreadable.getMessage());
        }
        throw RunLeft.lost();
    }

    private boolean isRoot() {
        return journal.state().started().parentRunId() == null;
    }

    private RunLeft left(RunLeft e) {
        if (!isRoot()) {
            return e.withoutText();
        }
        narrator.left(journal.state().stepNumber());
        return e.begun(textSoFar());
    }

    private String textSoFar() {
        State state = journal.state();
        if (state.open() == null) {
            return state.text();
        }
        return state.step().withheld() ? "" : state.step().text();
    }

    /** Another process executes the run: its caller gets the result of it there, and its hooks are called there. */
    private Outcome followed() {
        State last = journal.state();
        LOG.warn("run {}: another process has taken it over; this one waits for its result", last.runId());
        try {
            Outcome outcome = new Following(suspensions).follow(last.runId(), scope.cancellation());
            loop.tellEnd(outcome.state(), outcome.pending());
            return outcome;
        } catch (RunTakenOverException e) {
            narrator.left(last.stepNumber());
            throw e;
        }
    }

    private Outcome toItsEnd() {
        try {
            loop.advance();
            State state = journal.state();
            return state.status() == RunStatus.SUSPENDED ? waiting(state) : Outcome.ended(state, failed);
        } catch (RunInterrupted e) {
            return stop(e.reason(), "", Spent.NOTHING, null);
        } catch (ModelFailed e) {
            return fail(e.failure(), e.partialText(), Spent.onAttempts(e.attempts()));
        } catch (ProcessingFailed e) {
            return fail(e.failure(), "", e.spent());
        } catch (ChargehandException e) {
            if (e instanceof StoreException failure && failure.kind() == StoreException.Kind.FENCED) {
                throw e;
            }
            if (e instanceof StoreException failure && Outage.isCause(failure)) {
                scope.root().outage().begin(failure);
            }
            return fail(e, "", Spent.NOTHING);
        } catch (RunLeft e) {
            throw e;
        } catch (RuntimeException | Error e) {
            return broke(e);
        }
    }

    /** A store that cannot be read now changes nothing about the run, which waits in it. */
    private Outcome waiting(State state) {
        try {
            return new Outcome(state, null, suspensions.pending(state));
        } catch (StoreException e) {
            LOG.warn("run {}: what it waits for could not be read: {}", state.runId(), e.getMessage());
            return new Outcome(state, e, List.of());
        }
    }

    private Outcome fail(ChargehandException e, String partialText, Spent spent) {
        return stop(scope.root().redactor().failure(e), partialText, spent, e);
    }

    private Outcome broke(Throwable e) {
        String errorId = scope.root().ids().next("err_");
        LOG.error(
                "run {}: broke ({}): {}",
                journal.state().runId(),
                errorId,
                scope.root().redactor().describe(e),
                e);
        String message = "Chargehand itself broke (error " + errorId + ", "
                + e.getClass().getSimpleName() + "); the log has the details. Please report it.";
        return stop(new StopReason.Failed("internal", message, false), "", Spent.NOTHING, e);
    }

    /** A store that fails in a process that was stopped fails it for nothing, if another has taken its run over since. */
    private void requireNotTaken() {
        if (isRoot() && scope.root().outage().failure() != null && suspensions.isTaken(journal)) {
            throw RunLeft.lost();
        }
    }

    /** Ends the run; where its store has failed, that is what its caller is to know. */
    private Outcome stop(StopReason reason, String partialText, Spent spent, @Nullable Throwable cause) {
        requireNotTaken();
        State ended = loop.stop(reason, partialText, spent);
        requireNotTaken();
        StoreException outage = scope.root().outage().failure();
        return Outcome.ended(ended, outage == null ? cause : outage);
    }
}
