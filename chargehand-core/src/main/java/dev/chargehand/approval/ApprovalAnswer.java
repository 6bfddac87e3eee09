package dev.chargehand.approval;

import dev.chargehand.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link PendingApproval}. */
public sealed interface ApprovalAnswer {

    /** Return who answers. */
    Approver approver();

    /** Let the call be executed. */
    static ApprovalAnswer approve(Approver approver) {
        return new Approve(approver, null);
    }

    /**
     * Let the call be executed, and record why. The model does not see the reason.
     *
     * @param reason is part of the history of the run, not blank
     */
    static ApprovalAnswer approve(Approver approver, String reason) {
        return new Approve(approver, reason);
    }

    /** Reject the call; the model sees the reason as the tool's result. */
    static ApprovalAnswer decline(Approver approver, String reason) {
        return new Decline(approver, reason);
    }

    /** Give the data that the tool asked for: any value that has a JSON form and fits the schema. */
    static ApprovalAnswer data(Approver approver, @Nullable Object data) {
        return new Data(approver, Json.of(data));
    }

    private static void requireApprover(Approver approver) {
        Objects.requireNonNull(approver, "The approver of an answer must not be null; make one with Approver.of(id).");
    }

    /**
     * The call may be executed.
     *
     * @param reason why, not blank, or null if none was given; stored with the answer and never shown to a model
     */
    record Approve(Approver approver, @Nullable String reason) implements ApprovalAnswer {

        public Approve {
            requireApprover(approver);
            if (reason != null && reason.isBlank()) {
                throw new IllegalArgumentException("The reason of an approval is blank; give a text, or leave it out.");
            }
        }
    }

    /** The call is rejected. */
    record Decline(Approver approver, String reason) implements ApprovalAnswer {

        public Decline {
            requireApprover(approver);
        }
    }

    /** The requested data. */
    record Data(Approver approver, Json data) implements ApprovalAnswer {

        public Data {
            requireApprover(approver);
        }
    }
}
