package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunTakenOverException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.HookException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.Loop;
import dev.chargehand.internal.agent.model.ModelFailedException;
import dev.chargehand.internal.agent.model.ProcessingFailedException;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run, root or nested, while it is being advanced by one thread. */
public final class RunExecution {

    private static final Log LOG = Log.of(RunExecution.class);

    private final RunScope scope;
    private final Journal journal;
    private final Narrator narrator;
    private final Loop loop;
    private final SuspendedRuns suspensions;
    private final @Nullable HookException failed;
    private final Runnable catchUp;
    private boolean endedElsewhere;

    /**
     * Prepare a run.
     *
     * @param suspensions looks up what a suspended run and its descendants wait for, and how it was ended elsewhere
     * @param failed why it failed before it started, or null
     */
    RunExecution(
            RunScope scope,
            Journal journal,
            RunAssembly.Ready parts,
            SuspendedRuns suspensions,
            @Nullable HookException failed) {
        this.failed = failed;
        this.suspensions = suspensions;
        this.scope = scope;
        this.journal = journal;
        journal.atEnd(scope.definition().memory(), scope.root().redactor()::redact);
        journal.endTreeBy(suspensions.environment().forgotten());
        this.narrator = parts.narrator();
        this.catchUp = suspensions.catchUp(journal.state());
        this.loop = new Loop(scope, journal, narrator, parts.stages());
    }

    /**
     * Advance the run to its end in any case, or until it can only wait.
     *
     * @throws RunLeftException if this process leaves the run as it is in the store
     */
    public RunOutcome advance() {
        RunOutcome outcome;
        try {
            try {
                loop.advance();
                outcome = storedOutcome();
            } catch (RuntimeException | Error e) {
                outcome = ended(e);
            }
        } catch (RunLeftException e) {
            if (!e.isLost() || !isRoot()) {
                throw left(e);
            }
            return followed();
        } finally {
            if (isRoot()) {
                scope.root().tasks().close();
            }
        }
        return over(outcome);
    }

    /** Have the work after the run done, call the hooks of the end, then emit it. */
    private RunOutcome over(RunOutcome outcome) {
        if (!outcome.isSuspended() && outcome.state() instanceof ConversationState conversation) {
            scope.root().memories().runEnded(scope, conversation);
        }
        new EndHooks(scope.hookCalls(), scope.options(), scope.stepResults())
                .notifyHook(outcome.state(), scope.cancellation());
        TaskDispatch.over(suspensions.environment(), scope, outcome.state());
        if (!endedElsewhere) {
            loop.narrateEnd(outcome.state(), outcome.below());
        } else if (isRoot()) {
            catchUp();
        }
        return outcome;
    }

    /** Emit what another process has stored about the tree; what of it is nested, is emitted with the root. */
    private void catchUp() {
        try {
            catchUp.run();
        } catch (StoreException e) {
            LOG.warn("run {}: its events could not be read: {}", journal.state().runId(), e.getMessage());
            narrator.left(journal.state().stepNumber());
        }
    }

    /** Return where the run stands when nothing more can be done for it. */
    private RunOutcome storedOutcome() {
        State state = journal.state();
        return state.status() == RunStatus.SUSPENDED ? waiting(state) : RunOutcome.ended(state, failed);
    }

    /** End the run because of what was thrown, unless another process has written to it since. */
    private RunOutcome ended(Throwable thrown) {
        try {
            return switch (thrown) {
                case RunLeftException e -> throw e;
                case RunInterruptedException e -> stop(e.reason(), "", Spending.NOTHING, null);
                case ModelFailedException e -> fail(e.failure(), e.partialText(), Spending.onAttempts(e.attempts()));
                case ProcessingFailedException e -> fail(e.failure(), "", e.spent());
                case StoreException e -> storeFailed(e);
                case ChargehandException e -> fail(e, "", Spending.NOTHING);
                default -> broke(thrown);
            };
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                return fenced(e);
            }
            throw e;
        }
    }

    /**
     * Find out why another's writing came first: a run that was only ended there, because it was cancelled, has ended
     * so here too, and did not fail; one that was taken over is lost.
     */
    private RunOutcome fenced(StoreException e) {
        try {
            if (suspensions.isMine(journal)) { // a write of this process whose outcome it did not know
                scope.root().outage().begin(e);
                return fail(e, "", Spending.NOTHING);
            }
            Optional<RunOutcome> ended = onlyEndedThere();
            if (ended.isPresent()) {
                return ended.get();
            }
        } catch (StoreException unreadable) {
            LOG.warn(
                    "run {}: its outcome could not be read: {}", journal.state().runId(), unreadable.getMessage());
        }
        throw RunLeftException.lost();
    }

    /** Return how another process has ended the run, if it did nothing else to it. */
    private Optional<RunOutcome> onlyEndedThere() {
        List<Journal.Stored> since = journal.writtenSince();
        if (since.isEmpty()
                || !since.getLast().after().status().isEnded()
                || since.stream().anyMatch(stored -> stored.fact() instanceof Fact.Resumed)) {
            return Optional.empty();
        }
        endedElsewhere = true;
        return Optional.of(RunOutcome.ended(since.getLast().after(), null));
    }

    private boolean isRoot() {
        return journal.state().started().parentRunId() == null;
    }

    private RunLeftException left(RunLeftException e) {
        if (!isRoot()) {
            return e.withoutText();
        }
        narrator.left(journal.state().stepNumber());
        return e.started(textSoFar());
    }

    private String textSoFar() {
        return journal.state().textSoFar();
    }

    /**
     * Another process executes the run: its caller gets the result of it there, and its hooks are called there. They
     * are called here if the other process only ended the run.
     */
    private RunOutcome followed() {
        State last = journal.state();
        LOG.warn("run {}: another process has taken it over; this one waits for its result", last.runId());
        try {
            RunOutcome outcome = new RunFollower(suspensions).follow(last.runId(), scope.cancellation(), catchUp);
            Optional<RunOutcome> onlyEnded = onlyEndedThere();
            if (onlyEnded.isPresent()) {
                return over(onlyEnded.get());
            }
            catchUp();
            return outcome;
        } catch (RunTakenOverException e) {
            narrator.left(last.stepNumber());
            throw e;
        }
    }

    private RunOutcome storeFailed(StoreException e) {
        if (e.kind() == StoreException.Kind.FENCED) {
            throw e;
        }
        if (Outage.isCause(e)) {
            scope.root().outage().begin(e);
        }
        return fail(e, "", Spending.NOTHING);
    }

    /** A store that cannot be read now changes nothing about the run, which waits in it. */
    private RunOutcome waiting(State state) {
        try {
            return new RunOutcome(state, null, suspensions.below(state));
        } catch (StoreException e) {
            LOG.warn("run {}: what it waits for could not be read: {}", state.runId(), e.getMessage());
            return new RunOutcome(state, e, WaitingCalls.Below.NOTHING);
        }
    }

    private RunOutcome fail(ChargehandException e, String partialText, Spending spent) {
        return stop(scope.root().redactor().failure(e), partialText, spent, e);
    }

    private RunOutcome broke(Throwable e) {
        String errorId = scope.root().ids().next("err_");
        LOG.error(
                "run {}: broke ({}): {}",
                journal.state().runId(),
                errorId,
                scope.root().redactor().describe(e),
                e);
        String message = "Chargehand itself broke (error " + errorId + "); the log has the details. Please report it.";
        return stop(new StopReason.Failed("internal", message, false), "", Spending.NOTHING, e);
    }

    /**
     * A store that fails in a process that was stopped fails it for nothing, if another has taken its run over since.
     */
    private void requireNotTaken() {
        if (isRoot() && scope.root().outage().failure() != null && suspensions.isTaken(journal)) {
            throw RunLeftException.lost();
        }
    }

    /** End the run; where its store has failed, that is what its caller is to know. */
    private RunOutcome stop(StopReason reason, String partialText, Spending spent, @Nullable Throwable cause) {
        requireNotTaken();
        State ended = loop.stop(reason, partialText, spent);
        requireNotTaken();
        StoreException outage = scope.root().outage().failure();
        return RunOutcome.ended(ended, outage == null ? cause : outage);
    }
}
