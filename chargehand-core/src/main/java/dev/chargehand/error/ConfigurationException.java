package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/** Reports a definition, an option or an argument that cannot work; thrown before anything is started. */
public class ConfigurationException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code configuration}; it is never retryable. */
    public ConfigurationException(String message) {
        this(message, null);
    }

    /** Create the exception with its cause. */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super("configuration", false, message, cause);
    }
}
