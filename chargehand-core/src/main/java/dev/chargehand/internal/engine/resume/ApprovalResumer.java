package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivered;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Accepts decisions about calls that wait, and resumes the trees of their runs. Thread-safe. */
public final class ApprovalResumer {

    /** How often a run that changes meanwhile is looked at before its call counts as closed. */
    private static final int MOST_ATTEMPTS = 10;

    /** Each look at a run that is waited for is one at its owner too. */
    private static final int LOOK_AT_OWNER = 4;

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final ApprovalValidator validator;
    private final RecentDecisions recent = new RecentDecisions();

    /** Make it for a runtime; without a check it accepts no decision. */
    public ApprovalResumer(
            RuntimeEnvironment environment, Engine engine, RunClaims claims, @Nullable ApproverCheck check) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.validator = new ApprovalValidator(environment, check);
    }

    /**
     * Deliver a decision to a run, and wait until the run has ended or waits again, wherever it is executed. A run that
     * no process executes is resumed here.
     */
    public RunResult answer(PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        try (RunClaims.Reservation ignored = claims.reserve(approval.rootRunId())) {
            return reserved(approval, answer, changes);
        }
    }

    private RunResult reserved(PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        RunWait wait = new RunWait(approval.rootRunId(), environment.time());
        Delivery delivery = delivered(approval, answer, rootOf(approval), changes);
        while (true) {
            Optional<LocalRun> live = engine.live(approval.rootRunId());
            live.ifPresent(run -> run.inbox().refresh());
            if (live.isEmpty() && isUndrained(delivery, approval)) {
                live = resumed(approval, changes, false);
            }
            if (live.isPresent()) {
                RunResult result = live.get().result();
                if (live.get().inbox().isCarriedOut(delivery)) {
                    return result;
                }
            }
            Optional<LocalRun> earlier = engine.recent(approval.rootRunId())
                    .filter(run -> run.inbox().isCarriedOut(delivery));
            if (earlier.isPresent()) {
                return earlier.get().result();
            }
            if (!isUndrained(delivery, approval)) {
                return resultElsewhere(approval, delivery);
            }
            awaitChange(approval, wait);
        }
    }

    /** Resume a run with a decision, and return its stream. A run that is live is waited for before. */
    public RunStream answerStream(
            PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        try (RunClaims.Reservation ignored = claims.reserve(approval.rootRunId())) {
            return reservedStream(approval, answer, changes);
        }
    }

    private RunStream reservedStream(
            PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        RunWait wait = new RunWait(approval.rootRunId(), environment.time());
        while (true) {
            RunRecord root = rootOf(approval);
            boolean free = !engine.isAtWork(root.runId())
                    && (root.status() != RunStatus.RUNNING
                            || !environment.ownership().isRunning(root.runId(), LOOK_AT_OWNER));
            Delivery ignored = validator.accepted(approval, answer);
            if (free) {
                Delivery delivery = delivered(approval, answer, root, changes);
                Optional<LocalRun> run = resumed(approval, changes, true);
                while (run.isEmpty() && isUndrained(delivery, approval)) {
                    awaitChange(approval, wait);
                    run = resumed(approval, changes, true);
                }
                return run.orElseThrow(() -> over(approval)).stream();
            }
            awaitChange(approval, wait);
        }
    }

    private RunRecord rootOf(PendingApproval approval) {
        engine.releases().tryNow(approval.rootRunId());
        return environment
                .store()
                .find(approval.rootRunId())
                .filter(RunRecord::isRoot)
                .orElseThrow(() -> gone(approval));
    }

    /**
     * Store a decision for its run; the same decision of the same approver is stored once.
     *
     * @throws ApprovalException if it is not one to what is waited for now
     */
    private Delivery delivered(
            PendingApproval approval, ApprovalAnswer answer, RunRecord root, UnaryOperator<OptionValues> changes) {
        if (root.status() == RunStatus.SUSPENDED) {
            claims.requireHooks(root, engine.agentOf(root), changes); // it is this process that resumes it
        }
        for (int attempt = 1; ; attempt++) {
            Delivery delivery = validator.accepted(approval, answer);
            if (root.status().isEnded() || attempt > MOST_ATTEMPTS) {
                throw over(approval);
            }
            switch (environment.store().deliver(delivery)) {
                case Delivered.Accepted ignored -> {
                    recent.add(approval);
                    return delivery;
                }
                case Delivered.Duplicate stored -> {
                    if (!stored.digest().equals(delivery.digest())) {
                        throw new ApprovalException(
                                ApprovalException.Kind.ALREADY_DECIDED,
                                "Call " + approval.callId() + " of run " + approval.runId()
                                        + " has been answered already.");
                    }
                    return delivery;
                }
                case Delivered.NotWaiting ignored -> {} // the run has changed; the next look finds out how
            }
        }
    }

    /** Resume the run if no process executes it. */
    private Optional<LocalRun> resumed(
            PendingApproval approval, UnaryOperator<OptionValues> changes, boolean streamed) {
        return environment
                .store()
                .find(approval.rootRunId())
                .filter(root -> !root.status().isEnded())
                .flatMap(root -> claims.resume(root, engine.agentOf(root), changes, streamed, false));
    }

    private boolean isUndrained(Delivery delivery, PendingApproval approval) {
        return environment.store().undrained(approval.rootRunId()).stream()
                .anyMatch(
                        other -> other.to().equals(delivery.to()) && other.id().equals(delivery.id()));
    }

    /** Return the result of a run that another process, or an earlier call here, has resumed because of the decision. */
    private RunResult resultElsewhere(PendingApproval approval, Delivery delivery) {
        Optional<CallState> call = environment.find(delivery.to()).flatMap(state -> state.call(approval.callId()));
        boolean carriedOut = call.map(CallState::decided).isPresent();
        if (!carriedOut) {
            throw over(approval);
        }
        return engine.suspensions().follow(approval.rootRunId()).resultOrThrow(environment.stepResults());
    }

    /**
     * Wait until a run that is live here has ended or waits, or until one of another process may be free.
     */
    private void awaitChange(PendingApproval approval, RunWait wait) {
        RunId root = approval.rootRunId();
        Optional<LocalRun> live = engine.live(root);
        if (live.isPresent()) {
            wait.untilOver(live.get());
            return;
        }
        Optional<RunRecord> asking = environment.store().find(approval.runId());
        int look = 1;
        do {
            wait.pause();
        } while (!engine.isAtWork(root)
                && environment.ownership().isRunning(root, look++)
                && asking.flatMap(run -> environment.store().find(run.runId())).equals(asking));
    }

    private static ApprovalException over(PendingApproval approval) {
        return new ApprovalException(
                ApprovalException.Kind.ALREADY_DECIDED,
                "Run " + approval.rootRunId() + " has ended before; call " + approval.callId()
                        + " does not wait any more.");
    }

    private ApprovalException gone(PendingApproval approval) {
        return recent.has(approval)
                ? new ApprovalException(
                        ApprovalException.Kind.ALREADY_DECIDED,
                        "Call " + approval.callId() + " of run " + approval.runId() + " has been answered already.")
                : new ApprovalException(
                        ApprovalException.Kind.UNKNOWN,
                        "Run " + approval.rootRunId() + " is not in the store; what it waited for is over.");
    }
}
