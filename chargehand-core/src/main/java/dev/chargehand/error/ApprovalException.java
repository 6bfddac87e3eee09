package dev.chargehand.error;

/** The exception of an answer to a waiting call, or of the early end of a wait, that was not accepted: nothing was recorded, and nothing executed. */
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
        /** The approved arguments differ from those that would be executed. */
        ARGUMENTS_CHANGED("approval-arguments-changed"),
        /** The approver is not allowed to answer. */
        NOT_ALLOWED("approval-not-allowed"),
        /**
         * The answer does not fit the waiting call: data that breaks the schema, or an approval instead of requested
         * data.
         */
        INVALID_ANSWER("approval-invalid-answer"),
        /** Several calls wait at the place in the workflow that was named. */
        AMBIGUOUS("approval-ambiguous");

        private final String code;

        Kind(String code) {
            this.code = code;
        }
    }

    private final Kind kind;

    /** Create the exception. */
    public ApprovalException(Kind kind, String message) {
        super(kind.code, false, message, null);
        this.kind = kind;
    }

    /** Return why the answer was not taken. */
    public Kind kind() {
        return kind;
    }
}
