package dev.chargehand.verify.sequences;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import java.util.List;
import java.util.Map;

/** Answers calls that wait for a human, rightly and wrongly, once and twice. */
final class AnswerOperations {

    private static final Approver BOSS = Approver.of("boss");

    private final Turn turn;

    AnswerOperations(Turn turn) {
        this.turn = turn;
    }

    Operation answer() {
        Choice choice = turn.choice();
        int number = choice.below(Turn.ALL);
        int how = choice.below(9);
        String words = choice.words();
        boolean twice = choice.oneIn(5);
        return new Operation("answer", () -> {
            List<PendingApproval> waiting = turn.tenant().pendingApprovals(WaitingFilter.ALL.limit(Turn.ALL));
            if (waiting.isEmpty()) {
                return "none";
            }
            PendingApproval call = waiting.get(number % waiting.size());
            String first = Outcome.of(() -> give(call, how, words));
            return call.callId() + " " + first + (twice ? " again " + Outcome.of(() -> give(call, how, words)) : "");
        });
    }

    private String give(PendingApproval call, int how, String words) {
        TenantRuntime tenant = turn.tenant();
        ApprovalAnswer answer = answer(call, how, words);
        if (how % 3 == 2) {
            tenant.storeAnswer(call, answer);
            return "stored";
        }
        return Shown.of(tenant.answer(call, answer, options -> {}).result());
    }

    private static ApprovalAnswer answer(PendingApproval call, int how, String words) {
        if (how == 8) {
            return ApprovalAnswer.data(BOSS, Map.of("wrong", 1));
        }
        boolean isDecision = call.kind() == PendingApproval.Kind.APPROVAL
                || call.kind() == PendingApproval.Kind.INTERRUPTED
                || how == 7;
        if (isDecision) {
            return how < 5 ? ApprovalAnswer.approve(BOSS) : ApprovalAnswer.decline(BOSS, how == 5 ? "no" : words);
        }
        return ApprovalAnswer.data(BOSS, call.isExternal() ? "seen " + words : Map.of("answer", words));
    }
}
