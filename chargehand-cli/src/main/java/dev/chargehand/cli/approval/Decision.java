package dev.chargehand.cli.approval;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Decides about a waiting call, at once or by asking the user. */
@FunctionalInterface
public interface Decision {

    /**
     * Return the answer to a call; empty to leave it waiting.
     *
     * @param over whether the call does not wait any more, which ends a question about it without an answer
     */
    Optional<ApprovalAnswer> about(PendingApproval call, BooleanSupplier over);
}
