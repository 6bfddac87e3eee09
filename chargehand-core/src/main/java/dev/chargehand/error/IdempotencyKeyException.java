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
        this(
                runId,
                digest,
                "The idempotency key has started run " + runId
                        + " with another input, on another thread or with another idempotencyDigest; repeat a call as it was, or"
                        + " use another key.");
    }

    private IdempotencyKeyException(String runId, String digest, String message) {
        super("idempotency-mismatch", false, message, null);
        this.runId = runId;
        this.digest = digest;
    }

    /**
     * Create the exception of a key that has sent a run another message.
     *
     * @param runId the run
     * @param digest the digest of that message
     */
    public static IdempotencyKeyException ofMessage(String runId, String digest) {
        return new IdempotencyKeyException(
                runId,
                digest,
                "The key has sent run " + runId
                        + " another message; repeat the message as it was, or use another key.");
    }

    /** Return the id of the run that the first call started, or that received the first message. */
    public String runId() {
        return runId;
    }

    /** Return the digest of the input of that call, or of that message. */
    public String digest() {
        return digest;
    }
}
