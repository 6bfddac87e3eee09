package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/**
 * Root of every exception that Chargehand throws on purpose.
 *
 * <p>Messages say what went wrong, where, what was allowed and what to do next. They carry ids (run, agent path, tool
 * call) and never a secret or a prompt. Words of a model provider are marked as such, see {@link ModelException}, and
 * are not in {@link #publicMessage()}.
 */
public class ChargehandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final boolean retryable;

    /**
     * Create an exception.
     *
     * @param code stable, kebab-case name of the fault, fit for a switch or a metric
     * @param retryable whether the same call may succeed later without a change
     * @param message what, where, what was allowed, what to do next
     * @param cause what led to it, or null
     */
    public ChargehandException(String code, boolean retryable, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryable = retryable;
    }

    /** Return the stable, kebab-case name of the fault, for example {@code model-rate-limit}. */
    public final String code() {
        return code;
    }

    /** Return whether the same call may succeed later without a change by the caller. */
    public final boolean retryable() {
        return retryable;
    }

    /**
     * Return the message without the words of a model provider. It is fit for a client of the application; the full
     * message of {@link #getMessage()} is for the application and its log.
     */
    public String publicMessage() {
        return getMessage();
    }

    /** Return the message; never null. */
    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? code : message;
    }
}
