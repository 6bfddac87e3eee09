package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/** Reports a hook or dynamic setting that threw or took too long, where the run cannot continue without it. */
public final class HookException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code hook-failed}; it is never retryable. */
    public HookException(String message, @Nullable Throwable cause) {
        super("hook-failed", false, message, cause);
    }
}
