package dev.chargehand.approval;

import dev.chargehand.json.Json;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link PendingApproval}. */
public sealed interface ApprovalAnswer {

    /** Returns who answers. */
    Approver approver();

    /** Lets the call be executed. */
    static ApprovalAnswer approve(Approver approver) {
        return new Approve(approver);
    }

    /** Refuses the call; the model sees the reason as the tool's result. */
    static ApprovalAnswer decline(Approver approver, String reason) {
        return new Decline(approver, reason);
    }

    /** Gives the data that the tool asked for: any value that has a JSON form and fits the schema. */
    static ApprovalAnswer data(Approver approver, @Nullable Object data) {
        return new Data(approver, Json.of(data));
    }

    /** The call may be executed. */
    record Approve(Approver approver) implements ApprovalAnswer {}

    /** The call is refused. */
    record Decline(Approver approver, String reason) implements ApprovalAnswer {}

    /** Here is what was asked for. */
    record Data(Approver approver, Json data) implements ApprovalAnswer {}
}
