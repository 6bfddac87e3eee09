package dev.chargehand.workflow;

/** What becomes of a call of a step that is not repeatable and that was being executed when its process died. */
public enum Interruption {
    /**
     * The call waits up to 7 days for a human, as a {@link dev.chargehand.approval.PendingApproval.Kind#INTERRUPTED}: to approve is
     * to execute it again, data is its output, and to decline is that it has failed.
     */
    ASK,
    /** The run fails with {@code outcome-unknown}. */
    FAIL
}
