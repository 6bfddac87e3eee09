package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.answer.RecentDecisions;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Accepts decisions about calls that wait, and resumes the trees of their runs. Thread-safe. */
public final class ApprovalResumer {

    /** How often a run that changes meanwhile is looked at before its call counts as closed. */
    private static final int MOST_ATTEMPTS = 10;

    private static final String NOT_STORED =
            " The answer was not stored, and the call still waits. Give it to a runtime that has what is"
                    + " missing, or store it here with storeAnswer(...), for a process that has it and carries it out.";

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final TaskResumer tasks;
    private final RunHandles handles;
    private final ApprovalValidator validator;
    private final RecentDecisions recent;
    private final AccessGate access;

    /** Make it for a tenant of a runtime; without a check it accepts no decision. */
    ApprovalResumer(
            RuntimeEnvironment environment,
            Engine engine,
            RunClaims claims,
            TaskResumer tasks,
            RunHandles handles,
            RecentDecisions recent,
            AccessGate access,
            @Nullable ApproverCheck check) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.tasks = tasks;
        this.handles = handles;
        this.recent = recent;
        this.access = access;
        this.validator = new ApprovalValidator(environment, check);
    }

    /**
     * Deliver a decision to a run, and return once it is stored. A run that no process executes is resumed here, a background task
     * as soon as a place is free.
     *
     * @throws ApprovalException if the decision is not accepted
     */
    public RunHandle answer(PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        return answer(approval, answer, null, changes);
    }

    /**
     * Do the same with data that a model read in a message.
     *
     * @param from the message, or null if an approver gave the answer
     */
    RunHandle answer(
            PendingApproval approval,
            ApprovalAnswer answer,
            CallAnswer.@Nullable FromMessage from,
            UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        requireBoth(approval, answer);
        try (RunClaims.Reservation ignored = claims.reserve(approval.rootRunId())) { // this call has its options
            RunRecord root = rootOf(approval);
            FollowedRun before = handles.of(root);
            Delivery delivery = delivered(approval, answer, from, root, changes);
            AnsweredRun answered = new AnsweredRun(
                    environment, engine, claims, before, approval, delivery, () -> resumed(root.runId(), changes));
            answered.advance();
            return answered;
        }
    }

    /**
     * Deliver a decision to a run, and leave it to others to resume the run.
     *
     * @throws ApprovalException if the decision is not accepted
     */
    public void store(PendingApproval approval, ApprovalAnswer answer) {
        engine.requireOpen();
        requireBoth(approval, answer);
        deliver(approval, answer, null, rootOf(approval));
    }

    private static void requireBoth(PendingApproval approval, ApprovalAnswer answer) {
        Objects.requireNonNull(approval, "The approval to answer must not be null.");
        Objects.requireNonNull(
                answer,
                "The answer must not be null; make one with ApprovalAnswer.approve(...), decline(...) or data(...).");
    }

    /** Return whether data that a model read in a message would be accepted now. */
    boolean accepts(PendingApproval approval, ApprovalAnswer.Data answer, CallAnswer.FromMessage from) {
        try {
            return !validator.accepted(approval, answer, from).id().isEmpty();
        } catch (ApprovalException e) {
            return false;
        }
    }

    private RunRecord rootOf(PendingApproval approval) {
        engine.releases().tryNow(approval.rootRunId());
        RunRecord root = environment
                .store()
                .find(approval.rootRunId())
                .filter(RunRecord::isRoot)
                .orElseThrow(() -> gone(approval));
        if (!access.mayAnswer(approval, root)) {
            throw unknown(approval);
        }
        return root;
    }

    /**
     * Store a decision for its run; the same decision of the same approver is stored once.
     *
     * @throws ApprovalException if it is not one to what is waited for now
     */
    private Delivery delivered(
            PendingApproval approval,
            ApprovalAnswer answer,
            CallAnswer.@Nullable FromMessage from,
            RunRecord root,
            UnaryOperator<OptionValues> changes) {
        if (!root.status().isEnded() && claims.isFree(root)) {
            requireResumable(root, changes); // it is this process that resumes it
        }
        return deliver(approval, answer, from, root);
    }

    private void requireResumable(RunRecord root, UnaryOperator<OptionValues> changes) {
        try {
            var ignored = claims.requireIfAsSeen(root, changes);
        } catch (ConfigurationException e) {
            throw new ConfigurationException(e.getMessage() + NOT_STORED, e);
        } catch (VersionUnknownException e) {
            throw new VersionUnknownException(e.getMessage() + NOT_STORED, e);
        } catch (WorkflowUnknownException e) {
            throw new WorkflowUnknownException(e.getMessage() + NOT_STORED, e);
        }
    }

    private Delivery deliver(
            PendingApproval approval, ApprovalAnswer answer, CallAnswer.@Nullable FromMessage from, RunRecord root) {
        for (int attempt = 1; ; attempt++) {
            Delivery delivery = validator.accepted(approval, answer, from);
            if (root.status().isEnded() || attempt > MOST_ATTEMPTS) {
                throw over(approval);
            }
            switch (environment.store().deliver(delivery)) {
                case Delivered.Accepted ignored -> {
                    recent.add(environment.tenantId(), approval);
                    return delivery;
                }
                case Delivered.Duplicate stored -> {
                    if (!stored.digest().equals(delivery.digest())) {
                        throw already(root, delivery, approval);
                    }
                    return delivery;
                }
                case Delivered.NotWaiting ignored -> {} // the run has changed; the next look finds out how
            }
        }
    }

    /** Say how a call was answered, or that it is too late, where that is not carried out yet, if it is still not. */
    private ApprovalException already(RunRecord root, Delivery other, PendingApproval approval) {
        return environment.store().undrained(root.runId()).stream()
                .filter(stored -> stored.to().equals(other.to()) && stored.id().equals(other.id()))
                .findFirst()
                .map(stored -> ApprovalValidator.alreadyOver(
                        approval, DeliveryCodec.decision(stored.body()), approval.expiresAt()))
                .orElseGet(() -> ApprovalValidator.rejected(
                        ApprovalException.Kind.ALREADY_DECIDED, approval, "has been answered already."));
    }

    /** Resume the run unless a process executes it, which carries the answer out; a background task when a place is free. */
    Optional<LocalRun> resumed(RunId runId, UnaryOperator<OptionValues> changes) {
        return environment
                .store()
                .find(runId)
                .filter(root -> !root.status().isEnded() && claims.isFree(root))
                .flatMap(root -> tasks.resumeWhenPlaceIsFree(root, changes));
    }

    private static ApprovalException over(PendingApproval approval) {
        return new ApprovalException(
                ApprovalException.Kind.ALREADY_DECIDED,
                "Run " + approval.rootRunId() + " has ended before; call " + approval.callId()
                        + " does not wait any more.");
    }

    private ApprovalException gone(PendingApproval approval) {
        return recent.has(environment.tenantId(), approval)
                ? new ApprovalException(
                        ApprovalException.Kind.ALREADY_DECIDED,
                        "Call " + approval.callId() + " of run " + approval.runId() + " has been answered already.")
                : unknown(approval);
    }

    private static ApprovalException unknown(PendingApproval approval) {
        return new ApprovalException(
                ApprovalException.Kind.UNKNOWN,
                "Run " + approval.rootRunId() + " is not in the store; what it waited for is over.");
    }
}
