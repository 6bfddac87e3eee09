package dev.chargehand.internal.engine.resume;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ApprovalException.Kind;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks an answer against what is stored, which alone counts: what the answer describes may be old, forged or meant
 * for another approver. Thread-safe.
 */
final class ApprovalValidator {

    private final RuntimeEnvironment environment;
    private final @Nullable ApproverCheck check;

    ApprovalValidator(RuntimeEnvironment environment, @Nullable ApproverCheck check) {
        this.environment = environment;
        this.check = check;
    }

    /**
     * Return an answer as it is delivered to the run.
     *
     * @param from the message that a model made the data of, which the option of the call allows where there is no check; or null
     * @throws ApprovalException if the answer is not one to what is waited for now
     */
    Delivery accepted(PendingApproval approval, ApprovalAnswer answer, CallAnswer.@Nullable FromMessage from) {
        ApproverCheck who = check == null && from != null ? ApproverCheck.ANYONE : check;
        if (who == null) {
            throw rejected(
                    Kind.NOT_ALLOWED,
                    approval,
                    "was not answered: this runtime does not say who may answer. Build it with approverCheck(...), or"
                            + " with anyoneMayApprove() if every approver may.");
        }
        RunRecord run = environment
                .store()
                .find(approval.runId())
                .filter(found -> found.rootRunId().equals(approval.rootRunId()))
                .orElseThrow(() -> rejected(Kind.UNKNOWN, approval, "is of a run that is not in the store."));
        State state = SuspendedRuns.look(environment.store(), run);
        CallState call = waiting(state, approval);
        requireSame(state, call, approval);
        Fact.CallParked asked = Objects.requireNonNull(call.parked());
        if (!asked.expiresAt().isAfter(environment.time().now())) {
            throw rejected(
                    Kind.EXPIRED,
                    approval,
                    expired(asked.expiresAt()) + "; resume(runId) or recover() continues its run.");
        }
        requireFitting(asked, approval, answer, limit(state));
        requireAllowed(who, state, asked, approval, answer.approver());
        Fact.CallDecided decision = decided(asked, answer, from);
        return new Delivery(
                run.runId(),
                Delivery.idOf(asked.callId(), asked.waitNumber()),
                kind(asked, answer),
                DeliveryCodec.write(decision),
                environment.time().now());
    }

    private static CallState waiting(State state, PendingApproval approval) {
        CallState call = state.call(approval.callId())
                .orElseThrow(() -> rejected(Kind.UNKNOWN, approval, "is not a call of that run."));
        Fact.CallParked asked = call.parked();
        if (asked == null || asked.kind() == WaitKind.TIMER || approval.waitNumber() > asked.waitNumber()) {
            throw rejected(Kind.UNKNOWN, approval, "does not wait for an answer.");
        }
        if (!call.isParked() || approval.waitNumber() < asked.waitNumber()) {
            Fact.CallDecided decided = call.decided();
            throw decided == null
                    ? rejected(
                            Kind.ALREADY_DECIDED, approval, "does not wait any more: it was closed without an answer.")
                    : alreadyOver(approval, decided, asked.expiresAt());
        }
        return call;
    }

    /**
     * Say how a call was answered, and by whom; or that no answer came in time.
     *
     * @param until when the time to answer was over
     */
    static ApprovalException alreadyOver(PendingApproval approval, Fact.CallDecided decided, Instant until) {
        String how =
                switch (decided.answer()) {
                    case APPROVED -> ": approved";
                    case DECLINED -> ": declined";
                    case DATA -> ": data were given";
                    case EXPIRED, DUE -> "";
                };
        if (decided.answer() == CallAnswer.EXPIRED && decided.waitNumber() == approval.waitNumber()) {
            return rejected(Kind.EXPIRED, approval, expired(until) + ".");
        }
        String by = decided.approver() == null ? "" : " by " + decided.approver();
        return rejected(
                Kind.ALREADY_DECIDED,
                approval,
                "has been answered already" + (how.isEmpty() ? "" : how + by + " at " + decided.at()) + ".");
    }

    private static String expired(Instant until) {
        return "waited for an answer until " + until + " and counts as declined";
    }

    private static void requireSame(State state, CallState call, PendingApproval approval) {
        PendingApproval stored = WaitingCalls.of(state, call);
        String digest = ArgumentDigest.of(stored.arguments());
        boolean same = stored.digest().equals(digest)
                && approval.digest().equals(digest)
                && ArgumentDigest.of(approval.arguments()).equals(digest)
                && approval.toolName().equals(stored.toolName())
                && approval.path().equals(stored.path())
                && approval.kind() == stored.kind();
        if (!same) {
            throw rejected(
                    Kind.ARGUMENTS_CHANGED,
                    approval,
                    "would not be executed as the answer describes it; read what waits now and answer that.");
        }
    }

    private void requireFitting(
            Fact.CallParked asked, PendingApproval approval, ApprovalAnswer answer, Duration limit) {
        boolean fits =
                switch (answer) {
                    case ApprovalAnswer.Approve ignored -> asked.kind() != WaitKind.DATA;
                    case ApprovalAnswer.Decline ignored -> true;
                    case ApprovalAnswer.Data ignored -> asked.kind() != WaitKind.APPROVAL;
                };
        if (!fits) {
            throw rejected(
                    Kind.INVALID_ANSWER,
                    approval,
                    asked.kind() == WaitKind.DATA
                            ? "asks for data: give them with giveData(...), or decline it."
                            : "asks for approval, not for data: approve or decline it.");
        }
        if (answer instanceof ApprovalAnswer.Data given && asked.dataSchema() != null) {
            List<String> violations = new BoundedValidation(environment.callouts(), new Cancellation(), limit)
                    .violations("data", JsonSchema.of(asked.dataSchema()), given.data());
            if (!violations.isEmpty()) {
                throw rejected(
                        Kind.INVALID_ANSWER,
                        approval,
                        "asks for other data: " + String.join("; ", violations) + ". It still waits.");
            }
        }
    }

    private void requireAllowed(
            ApproverCheck who, State state, Fact.CallParked asked, PendingApproval approval, Approver approver) {
        String ofRun = environment.tenantId();
        if (!ofRun.equals(Store.LOCAL) && !ofRun.equals(Objects.requireNonNullElse(approver.tenant(), ofRun))) {
            throw rejected(
                    Kind.NOT_ALLOWED,
                    approval,
                    "may not be answered by '" + approver.id()
                            + "', who acts for another tenant than that of the run.");
        }
        PendingApproval stored =
                WaitingCalls.of(state, state.call(asked.callId()).orElseThrow());
        boolean selfApproval = stored.isExternal() || state.started().settings().get(Options.SELF_APPROVAL);
        if (!selfApproval && asked.requester() == null) {
            throw rejected(
                    Kind.NOT_ALLOWED,
                    approval,
                    "may not be answered by its requester, and the requester is unknown; start runs with option"
                            + " 'requester' or 'resource'.");
        }
        if (!selfApproval && approver.id().equals(asked.requester())) {
            throw rejected(Kind.NOT_ALLOWED, approval, "may not be answered by its requester.");
        }
        if (who != ApproverCheck.ANYONE) {
            whyNot(who, limit(state), stored, approver).ifPresent(why -> {
                throw rejected(
                        Kind.NOT_ALLOWED, approval, "may not be answered by '" + approver.id() + "'" + why + ".");
            });
        }
    }

    /** Only a plain yes is one. */
    private Optional<String> whyNot(ApproverCheck who, Duration limit, PendingApproval stored, Approver approver) {
        try {
            boolean may = environment
                    .callouts()
                    .call(
                            CallSite.of(CallInfo.Kind.CHECK, "approver"),
                            limit,
                            new Cancellation(),
                            () -> who.mayAnswer(stored, approver));
            return may ? Optional.empty() : Optional.of("");
        } catch (BoundedCalls.TimedOutException e) {
            return Optional.of(": the approver check took longer than " + ReadableTime.of(limit));
        } catch (BoundedCalls.ThrewException e) {
            return Optional.of(
                    ": the approver check threw " + e.thrown().getClass().getName());
        }
    }

    private static Duration limit(State state) {
        return state.started().settings().get(Options.TIME_LIMITS).get(TimeLimit.HOOK);
    }

    private static Delivery.Kind kind(Fact.CallParked asked, ApprovalAnswer answer) {
        if (!(answer instanceof ApprovalAnswer.Data)) {
            return Delivery.Kind.APPROVAL;
        }
        return asked.kind() == WaitKind.INTERRUPTED ? Delivery.Kind.OUTCOME : Delivery.Kind.DATA;
    }

    /** The fact gets its time when it is stored: until then, the same answer is the same text. */
    private static Fact.CallDecided decided(
            Fact.CallParked asked, ApprovalAnswer answer, CallAnswer.@Nullable FromMessage from) {
        Approver by = answer.approver();
        return switch (answer) {
            case ApprovalAnswer.Approve approve ->
                decided(asked, CallAnswer.APPROVED, by, approve.reason(), null, null);
            case ApprovalAnswer.Decline decline ->
                decided(asked, CallAnswer.DECLINED, by, decline.reason(), null, null);
            case ApprovalAnswer.Data given -> decided(asked, CallAnswer.DATA, by, null, given, from);
        };
    }

    private static Fact.CallDecided decided(
            Fact.CallParked asked,
            CallAnswer answer,
            Approver by,
            @Nullable String reason,
            ApprovalAnswer.@Nullable Data given,
            CallAnswer.@Nullable FromMessage from) {
        return new Fact.CallDecided(
                asked.callId(),
                asked.waitNumber(),
                answer,
                by.id(),
                by.tenant(),
                reason,
                given == null ? null : given.data(),
                from,
                asked.at());
    }

    static ApprovalException rejected(Kind kind, PendingApproval approval, String what) {
        return new ApprovalException(
                kind,
                "Call " + approval.callId() + " of run " + approval.runId() + " (" + approval.toolName() + ") " + what);
    }
}
