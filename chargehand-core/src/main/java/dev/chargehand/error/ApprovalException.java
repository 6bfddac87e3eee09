package dev.chargehand.error;

/** Reports an answer to a waiting call that was not taken: nothing was recorded, and nothing executed. */
public final class ApprovalException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Why the answer was not taken. */
    public enum Kind {
        /** No such call waits in that run, or the run is not in the store. */
        UNKNOWN("approval-unknown"),
        /** Another answer came first, or the run ended before. */
        ALREADY_DECIDED("approval-already-decided"),
        /** It came too late: the call counts as declined. */
        EXPIRED("approval-expired"),
        /** What was approved is not what would be executed. */
        ARGUMENTS_CHANGED("approval-arguments-changed"),
        /** Who answered may not. */
        NOT_ALLOWED("approval-not-allowed"),
        /** The answer is not one to what was asked: data that breaks the schema, or approval where data was asked for. */
        INVALID_ANSWER("approval-invalid-answer");

        private final String code;

        Kind(String code) {
            this.code = code;
        }
    }

    private final Kind kind;

    /** Creates the exception. */
    public ApprovalException(Kind kind, String message) {
        super(kind.code, false, message, null);
        this.kind = kind;
    }

    /** Returns why the answer was not taken. */
    public Kind kind() {
        return kind;
    }
}
