package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run that an answer was delivered to: its result is known when the answer has been carried out, wherever that is.
 * Thread-safe.
 */
final class AnsweredRun implements RunHandle {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final FollowedRun run;
    private final PendingApproval approval;
    private final Delivery delivery;
    private final Supplier<Optional<LocalRun>> resumption;

    /** The run as it was last seen to be executed here since the answer, or null. */
    private volatile @Nullable LocalRun last;

    /**
     * Follow a run.
     *
     * @param run the run, from before the answer
     * @param resumption resumes the run here if no process executes it
     */
    AnsweredRun(
            RuntimeEnvironment environment,
            Engine engine,
            RunClaims claims,
            FollowedRun run,
            PendingApproval approval,
            Delivery delivery,
            Supplier<Optional<LocalRun>> resumption) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.run = run;
        this.approval = approval;
        this.delivery = delivery;
        this.resumption = resumption;
    }

    /** Have the run read the answer if it is live here, and can still; resume it here if no process executes it. */
    void advance() {
        Optional<LocalRun> live = engine.live(runId());
        if (live.isPresent()) {
            last = live.get();
            claims.deliverTo(live.get(), this::execution);
        } else {
            Optional<LocalRun> ignored = execution();
        }
    }

    /** Return the run as it is executed here, now or from now on. */
    private Optional<LocalRun> execution() {
        Optional<LocalRun> live = engine.live(runId());
        Optional<LocalRun> executed = live.isEmpty() && isUndrained() ? resumption.get() : live;
        executed.ifPresent(run -> last = run);
        return executed;
    }

    @Override
    public RunId runId() {
        return run.runId();
    }

    @Override
    public RunStatus status() {
        return run.status();
    }

    @Override
    public RunResult result() {
        return result(new RunWait(runId(), environment.time(), engine.waits()));
    }

    @Override
    public RunResult result(Duration most) {
        return result(new RunWait(runId(), environment.time(), engine.waits()).atMost(most));
    }

    private RunResult result(RunWait wait) {
        return wait.whileOpen(() -> awaited(wait));
    }

    private RunResult awaited(RunWait wait) {
        Optional<LocalRun> executed;
        try (RunClaims.Reservation ignored = claims.reserve(runId())) { // the answer has options of its own
            executed = carriedOut(wait);
        } // and what follows on it does not need them: it may wait for a time, and be woken then
        return executed.isPresent() ? result(wait, executed.get()) : resultElsewhere(wait);
    }

    /**
     * Wait until the answer is carried out, and return the run that has done so; nothing if that was elsewhere or earlier. A run that was
     * given up here may have stored the answer without knowing it, and no process may continue it: its failure is the caller's.
     */
    private Optional<LocalRun> carriedOut(RunWait wait) {
        while (true) {
            Optional<LocalRun> live = execution();
            live.ifPresent(wait::untilOver);
            Optional<LocalRun> carriedOut = live.or(() -> engine.recent(runId()))
                    .filter(executed -> executed.inbox().isCarriedOut(delivery));
            if (carriedOut.isPresent()) {
                return carriedOut;
            }
            wait.requireOpen();
            if (!isUndrained()) {
                return Optional.ofNullable(last).filter(LocalRun::isGivenUp);
            }
            if (live.isEmpty()) {
                awaitChange(wait);
            }
        }
    }

    private RunResult result(RunWait wait, LocalRun executed) {
        return run.outcome(wait, executed).resultOrThrow(environment.stepResults());
    }

    /** Return the result of a run that another process, or an earlier execution here, resumed because of the answer. */
    private RunResult resultElsewhere(RunWait wait) {
        Optional<CallState> call = environment.find(delivery.to()).flatMap(state -> state.call(approval.callId()));
        if (call.filter(stored -> stored.isDecided(approval.waitNumber())).isEmpty()) {
            throw new ApprovalException(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    "Run " + runId() + " has ended before; call " + approval.callId() + " does not wait any more.");
        }
        return run.outcome(wait, null).resultOrThrow(environment.stepResults());
    }

    private boolean isUndrained() {
        return environment.store().undrained(runId()).stream()
                .anyMatch(
                        other -> other.to().equals(delivery.to()) && other.id().equals(delivery.id()));
    }

    /** Wait until the run is live here, or another process may have given it up or carried the answer out. */
    private void awaitChange(RunWait wait) {
        Optional<RunRecord> asking = environment.store().find(approval.runId());
        int look = 1;
        do {
            wait.pause();
        } while (!engine.isAtWork(runId())
                && environment.ownership().isRunning(environment.store(), runId(), look++)
                && environment.store().find(approval.runId()).equals(asking));
    }

    @Override
    public List<PendingApproval> pendingApprovals() {
        return run.pendingApprovals();
    }

    @Override
    public RunWatch events() {
        return run.events();
    }

    @Override
    public boolean cancel() {
        return run.cancel();
    }

    @Override
    public boolean delete() {
        return run.delete();
    }

    @Override
    public String toString() {
        return run.toString();
    }
}
