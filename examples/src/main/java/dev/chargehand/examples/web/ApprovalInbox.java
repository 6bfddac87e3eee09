package dev.chargehand.examples.web;

import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import java.util.List;

/** Lists what waits for a human, and stores the answers; another process may execute the runs. */
final class ApprovalInbox {

    private final AgentRuntime runtime;

    ApprovalInbox(AgentRuntime runtime) {
        this.runtime = runtime;
    }

    List<PendingApproval> waiting() {
        return runtime.pendingApprovals(WaitingFilter.ALL);
    }

    void approve(RunId run, String callId, String digest, String employee) {
        runtime.storeAnswer(shown(run, callId, digest), ApprovalAnswer.approve(Approver.of(employee)));
    }

    void decline(RunId run, String callId, String digest, String employee, String reason) {
        runtime.storeAnswer(shown(run, callId, digest), ApprovalAnswer.decline(Approver.of(employee), reason));
    }

    /** The digest comes from the page that the employee saw: other arguments have another one. */
    private PendingApproval shown(RunId run, String callId, String digest) {
        return runtime.handle(run).pendingApprovals().stream()
                .filter(call -> call.callId().equals(callId) && call.digest().equals(digest))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("This call does not wait any more; reload the page."));
    }
}
