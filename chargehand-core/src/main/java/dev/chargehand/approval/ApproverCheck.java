package dev.chargehand.approval;

/**
 * Decides who may answer what, for example only those of the tenant that the conversation belongs to.
 *
 * <p>A runtime without a check accepts no answer, unless it says {@code anyoneMayApprove()}. The check is called before
 * anything is recorded. One that throws or takes longer than {@link dev.chargehand.run.TimeLimit#HOOK} rejects the
 * answer, with an error that names this reason. Must be thread-safe.
 */
@FunctionalInterface
public interface ApproverCheck {

    /** Every approver may answer. The runtime does not call it, so no time limit can reject an answer. */
    ApproverCheck ANYONE = (approval, approver) -> true;

    /** Return whether the approver may answer. */
    boolean mayAnswer(PendingApproval approval, Approver approver);
}
