package dev.chargehand.verify.tasks;

import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.OutsideLedger;
import java.time.Duration;

/**
 * A human of one process, who answers all calls of tasks that wait: approves them, and says of those that a kill has
 * interrupted whether the outside world has seen them.
 */
final class Approvals implements Runnable {

    private static final Approver ANN = Approver.of("ann");
    private static final Duration LOOK = Duration.ofMillis(250);

    private final AgentRuntime runtime;
    private final OutsideLedger ledger;

    Approvals(AgentRuntime runtime, OutsideLedger ledger) {
        this.runtime = runtime;
        this.ledger = ledger;
    }

    @Override
    public void run() {
        Store store = runtime.store();
        long seen = 0;
        while (!Thread.currentThread().isInterrupted()) {
            runtime.tasks(TaskFilter.ALL).stream()
                    .filter(task -> task.status() == TaskStatus.SUSPENDED)
                    .flatMap(task -> runtime.handle(task.runId()).pendingApprovals().stream())
                    .forEach(this::answer);
            seen = store.awaitChange(seen, LOOK);
        }
    }

    private void answer(PendingApproval call) {
        ApprovalAnswer answer = call.kind() == PendingApproval.Kind.INTERRUPTED && ledger.has(call.callId())
                ? ApprovalAnswer.data(ANN, "ok")
                : ApprovalAnswer.approve(ANN);
        try {
            runtime.answer(call, answer, options -> {});
        } catch (ApprovalException e) {
            if (e.kind() != ApprovalException.Kind.ALREADY_DECIDED && e.kind() != ApprovalException.Kind.UNKNOWN) {
                throw e;
            }
            // the other process was faster
        }
    }
}
