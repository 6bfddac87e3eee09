package dev.chargehand.approval;

/**
 * Decides who may answer what, for example only those of the tenant that the conversation belongs to.
 *
 * <p>A runtime without a check accepts no answer, unless it says {@code anyoneMayApprove()}. The check is called before
 * anything is recorded. One that throws or takes too long rejects the answer. Must be thread-safe.
 */
@FunctionalInterface
public interface ApproverCheck {

    /** Return whether the approver may answer. */
    boolean mayAnswer(PendingApproval approval, Approver approver);
}
