package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/**
 * The description of a delegation without a complete answer, for the hooks of its supervisor. It is handed out, not
 * thrown.
 *
 * <p>{@link #code()} is the code of the error if the sub-agent's run failed, {@code empty-answer} if it ended without a
 * text, {@code invalid-output} if the answer breaks the sub-agent's output schema, and else the code of its stop
 * reason. The message is the text that the supervisor's model receives.
 */
public final class DelegationException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param cause the exception that made the sub-agent's run fail, or null if it did not fail in this process
     */
    public DelegationException(String code, boolean retryable, String message, @Nullable Throwable cause) {
        super(code, retryable, message, cause);
    }
}
