package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.resume.RunWait.Standing;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.watch.FollowedStream;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run of which a caller has the id, followed in this process and in the store. Thread-safe. */
final class FollowedRun implements RunHandle, FollowedStream.Followed {

    private static final Log LOG = Log.of(FollowedRun.class);

    private final RunHandles runs;
    private final RunId runId;
    private final @Nullable LocalRun started;
    private final boolean repeated;

    /**
     * Follow a run.
     *
     * @param started the run as it was started or resumed in this process, or null
     */
    FollowedRun(RunHandles runs, RunId runId, @Nullable LocalRun started) {
        this(runs, runId, started, false);
    }

    private FollowedRun(RunHandles runs, RunId runId, @Nullable LocalRun started, boolean repeated) {
        this.runs = runs;
        this.runId = runId;
        this.started = started;
        this.repeated = repeated;
    }

    /** Return a handle for a call that an earlier one had made before. */
    FollowedRun repeated() {
        return new FollowedRun(runs, runId, started, true);
    }

    @Override
    public boolean isRepeated() {
        return repeated;
    }

    @Override
    public RunId runId() {
        return runId;
    }

    @Override
    public RunStatus status() {
        if (runs.engine().live(runId).isPresent()) {
            return RunStatus.RUNNING;
        }
        return endHere().map(end -> end.state().status()).orElseGet(this::storedStatus);
    }

    private RunStatus storedStatus() {
        Optional<RunRecord> stored = runs.find(runId);
        return stored.isPresent()
                ? stored.get().status()
                : forgottenEnd().state().status();
    }

    @Override
    public RunResult result() {
        return result(runs.waitFor(runId));
    }

    @Override
    public RunResult result(Duration most) {
        return result(runs.waitFor(runId).atMost(most));
    }

    private RunResult result(RunWait wait) {
        return outcome(wait, started).resultOrThrow(runs.environment().stepResults());
    }

    /**
     * Wait until the run has ended or waits for an answer, and return where it stands then.
     *
     * @param last the run as it was last executed in this process, or null
     */
    RunOutcome outcome(RunWait wait, @Nullable LocalRun last) {
        return wait.whileOpen(() -> awaited(wait, last));
    }

    private RunOutcome awaited(RunWait wait, @Nullable LocalRun last) {
        LocalRun here = last;
        StandstillLog standstill = new StandstillLog();
        while (true) {
            here = runs.engine().live(runId).orElse(here);
            if (here != null) {
                wait.untilOver(here);
                RunOutcome outcome = here.settled();
                if (!outcome.isSuspended()) {
                    return outcome;
                }
            }
            wait.requireOpen();
            Optional<RunOutcome> stored = stored();
            if (stored.isPresent()) {
                return stored.get();
            }
            if (here == null) {
                standstill.look();
                wait.pause(this::standing);
            } else {
                wait.pause();
            }
        }
    }

    private Standing standing() {
        return runs.find(runId).map(this::standing).orElse(Standing.CONTINUES);
    }

    private Standing standing(RunRecord run) {
        return switch (run.status()) {
            case PENDING -> runs.starts(run) ? Standing.CONTINUES : Standing.NOT_STARTED;
            case RUNNING -> runs.isLeft(run) ? Standing.LEFT : Standing.CONTINUES;
            default -> Standing.CONTINUES;
        };
    }

    /**
     * Logs once that nothing here leads to the end for which a caller waits. It is not an error: another process may have wake-ups, which
     * the store does not know, or a later call may continue the run. For one thread.
     */
    private final class StandstillLog {

        /** How many looks of the wait come between two checks: about a second. */
        private static final int LOOKS = 4;

        /** How many checks in a row find that no process executes the run before that is logged. */
        private static final int CHECKS = 5;

        private int looks;
        private int left;
        private boolean logged;

        void look() {
            if (logged || looks++ % LOOKS != 0) {
                return;
            }
            Standing standing = standing();
            left = standing == Standing.LEFT ? left + 1 : 0;
            if (standing == Standing.NOT_STARTED) {
                logged = true;
                LOG.warn(
                        "run {} is pending, and a caller waits for its result: this runtime does not start it. Wakeups.own() starts"
                                + " background tasks only, and Wakeups.off() no run. It waits until another process starts the run;"
                                + " if there is none, call resume(runId), or build the runtime with .wakeups(Wakeups.all())",
                        runId);
            } else if (left == CHECKS) {
                logged = true;
                LOG.warn(
                        "run {}: a caller waits for its result, and no living process executes it. Call resume(runId) or recover(), or"
                                + " build a runtime with .wakeups(Wakeups.all()), which does that by itself",
                        runId);
            }
        }
    }

    @Override
    public void awaitEnd() {
        try {
            RunOutcome ignored = outcome(runs.waitFor(runId), started);
        } catch (ChargehandException e) {
            // result() says how it ended
        }
    }

    @Override
    public boolean standsStill() {
        return stored().isPresent();
    }

    private Optional<RunOutcome> stored() {
        Optional<RunRecord> found = runs.find(runId);
        if (found.isEmpty()) {
            return Optional.of(forgottenEnd());
        }
        RunStatus status = found.get().status();
        if (status == RunStatus.RUNNING || status == RunStatus.PENDING) {
            return Optional.empty();
        }
        // Before the facts: what the run reads in between is in them, and would else be in neither.
        boolean answered = status == RunStatus.SUSPENDED
                && runs.environment().store().undrained(runId).stream()
                        .anyMatch(delivery -> delivery.kind().wakes());
        return Optional.of(runs.stored().outcome(found.get())).filter(outcome -> isOver(outcome, answered));
    }

    /**
     * Return whether a run has ended or waits for an answer; one that has all its answers is about to be resumed, and
     * its facts may be later than its record. One that waits for a time only continues by itself, unless it pauses or this runtime wakes none.
     */
    private boolean isOver(RunOutcome outcome, boolean answered) {
        boolean waits = outcome.isSuspended()
                && (!outcome.below().calls().isEmpty()
                        || outcome.state().pendingCalls().isEmpty()
                        || ((!runs.wakes()
                                        || CallState.NO_TIME.equals(
                                                outcome.state().waitsUntil()))
                                && !answered));
        return waits || outcome.state().status().isEnded();
    }

    /** Return how the run ended in this process, if its last execution here has ended it. */
    private Optional<RunOutcome> endHere() {
        return Optional.ofNullable(started)
                .filter(LocalRun::hasOutcome)
                .map(LocalRun::settled)
                .filter(outcome -> !outcome.isSuspended());
    }

    /** Return the end of a run that the store does not keep. */
    private RunOutcome forgottenEnd() {
        return runs.engine()
                .recentEnd(runId)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND,
                        "Run " + runId
                                + " is not in the store: it was deleted, or it has ended and the store does not keep"
                                + " ended runs, or it was released before it had started.",
                        null));
    }

    @Override
    public List<PendingApproval> pendingApprovals() {
        return runs.find(runId).map(runs.stored()::pending).orElse(List.of());
    }

    @Override
    public RunWatch events() {
        return started == null
                ? runs.stored().watch(runId, null)
                : runs.stored().watch(started);
    }

    @Override
    public void cancel(String by) {
        boolean ignored = runs.canceller().cancel(runId, new StopReason.Cancelled(by));
    }

    @Override
    public boolean cancel() {
        return runs.canceller().cancel(runId);
    }

    @Override
    public boolean delete() {
        return runs.delete(runId);
    }

    @Override
    public String toString() {
        return "RunHandle[" + runId + "]";
    }
}
