package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.WaitingId;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Optional;

/** Answers of callers to waiting calls, which wires receive as parts of other requests. The approver is the caller. Thread-safe. */
public final class WireAnswers {

    private static final int REASON_LENGTH = 10_000;

    private final WireRuns runs;

    /** Make it. */
    public WireAnswers(WireRuns runs) {
        this.runs = runs;
    }

    /**
     * Return the waiting call with an id.
     *
     * @throws ProblemException if there is none, or it was answered
     */
    public PendingApproval require(Principal principal, String id) {
        WaitingId parsed = WaitingId.parse(id).orElseThrow(WireAnswers::unknown);
        RunRecord run = runs.runtime(principal)
                .findRun(new RunId(parsed.runId()))
                .filter(found -> runs.owners().owns(principal, found))
                .orElseThrow(WireAnswers::unknown);
        return waiting(principal, run.rootRunId()).stream()
                .filter(parsed::isOf)
                .findFirst()
                .orElseThrow(() -> Problem.ALREADY_DECIDED.of("The call waits for no answer, or was answered before."));
    }

    /** Return the calls for which a root run and its nested runs wait; none if it was deleted just now, or the store has forgotten it. */
    public List<PendingApproval> waiting(Principal principal, RunId root) {
        try {
            return runs.runtime(principal).handle(root).pendingApprovals();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    /** Answer a call; this returns when the answer is stored. The client of a run gives results of its tools without the scope of approvers. */
    public void answer(Principal principal, PendingApproval pending, ApprovalAnswer answer) {
        boolean isOfClient = pending.isExternal()
                && pending.requester().filter(principal.id()::equals).isPresent();
        if (!isOfClient && !principal.has(Scope.APPROVALS_ANSWER)) {
            throw Problem.lacks(Scope.APPROVALS_ANSWER);
        }
        var unused = runs.runtime(principal).answer(pending, answer, options -> {});
    }

    /** Return a decision of a caller. */
    public static ApprovalAnswer decision(Principal principal, boolean approved, Optional<String> reason) {
        return approved
                ? ApprovalAnswer.approve(approver(principal))
                : ApprovalAnswer.decline(
                        approver(principal),
                        reason.filter(text -> !text.isBlank())
                                .map(text -> text.substring(0, Math.min(text.length(), REASON_LENGTH)))
                                .orElse("Declined without a reason."));
    }

    /** Return data of a caller. */
    public static ApprovalAnswer data(Principal principal, Json data) {
        return ApprovalAnswer.data(approver(principal), data);
    }

    private static Approver approver(Principal principal) {
        return Approver.of(principal.id(), principal.tenantId());
    }

    private static ProblemException unknown() {
        return Problem.APPROVAL_UNKNOWN.of("There is no waiting call with this id.");
    }
}
