package dev.chargehand.cli.approval;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The tools that a user has approved for the rest of a run. Each further call is approved by an answer of its own, with
 * the reason that it was covered, so that the history of the run shows which calls a human saw. Another command knows
 * nothing of it and asks again.
 */
final class StandingApprovals {

    private static final int LONGEST = 110;

    private final Map<Scope, String> callIds = new HashMap<>();

    /** A tool of an agent in a run and its nested runs. */
    private record Scope(RunId root, AgentPath path, String tool) {}

    /** Approve a call and all further ones of its tool, by the same agent in the same run. */
    ApprovalAnswer approve(PendingApproval approval, Approver approver) {
        callIds.putIfAbsent(scope(approval), approval.callId());
        return ApprovalAnswer.approve(approver, "Given for all calls of this tool by this agent in this run.");
    }

    /** Return the approval of a call that an earlier one covers. */
    Optional<ApprovalAnswer> answer(PendingApproval approval, Approver approver) {
        return approval.kind() == PendingApproval.Kind.APPROVAL
                ? Optional.ofNullable(callIds.get(scope(approval)))
                        .map(first -> ApprovalAnswer.approve(
                                approver,
                                "Not shown before: covered by the approval of " + first
                                        + " for all calls of this tool in this run."))
                : Optional.empty();
    }

    /** Return the line that reports a call which was approved without a question. */
    String line(PendingApproval approval) {
        return "approved like all calls of " + Visible.line(approval.toolName(), LONGEST) + " in this run: "
                + Visible.line(approval.arguments().text(), LONGEST);
    }

    private static Scope scope(PendingApproval approval) {
        return new Scope(approval.rootRunId(), approval.path(), approval.toolName());
    }
}
