package dev.chargehand.error;

/** Rejects a call whose idempotency key another call has used with another input; nothing of it is stored. */
public final class IdempotencyKeyException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final String digest;

    /**
     * Create the exception with code {@code idempotency-mismatch}.
     *
     * @param runId the run that the first call started
     * @param digest the digest of the input of that call
     */
    public IdempotencyKeyException(String runId, String digest) {
        super(
                "idempotency-mismatch",
                false,
                "The idempotency key has started run " + runId
                        + " with another input, on another thread or with another idempotencyDigest; repeat a call as it was, or"
                        + " use another key.",
                null);
        this.runId = runId;
        this.digest = digest;
    }

    /** Return the id of the run that the first call started. */
    public String runId() {
        return runId;
    }

    /** Return the digest of the input of that call. */
    public String digest() {
        return digest;
    }
}
