package dev.chargehand;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The exception of a run that failed; its code and retry hint are those of the error, which is the cause where there is
 * one.
 *
 * <p>Runs that end in any other way, a limit or a cancellation for example, are results, not exceptions.
 */
public final class RunFailedException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final transient RunResult result;
    private final String publicMessage;

    /** Create the exception for a failed run. */
    public RunFailedException(RunResult result, StopReason.Failed failed, @Nullable Throwable cause) {
        super(
                failed.error(),
                failed.retryable(),
                describe(result, failed)
                        + (failed.providerMessage() == null
                                ? ""
                                : " The provider says: \"" + failed.providerMessage() + "\""),
                cause);
        this.result = result;
        this.publicMessage = describe(result, failed);
    }

    private static String describe(RunResult result, StopReason.Failed failed) {
        return "Run " + result.runId() + " of " + (result.workflowState().isPresent() ? "workflow" : "agent") + " '"
                + result.path() + "' failed: " + failed.message();
    }

    @Override
    public String publicMessage() {
        return publicMessage;
    }

    /** Return what there is of the result: the steps that were made, and the partial text. */
    public RunResult result() {
        return result;
    }
}
