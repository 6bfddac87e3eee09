package dev.chargehand.config.choice;

import dev.chargehand.document.Position;
import dev.chargehand.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** Reports an agents' file or an environment that cannot work unless a program sets an option, or another value of it. */
public final class CrewOptionException extends ConfigurationException {

    private static final long serialVersionUID = 1L;

    private final CrewOption option;

    /** Create the exception. */
    public CrewOptionException(CrewOption option, String message) {
        this(option, message, null);
    }

    /** Create the exception with its cause. */
    public CrewOptionException(CrewOption option, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.option = option;
    }

    /** Create the exception for a value at a position. */
    public CrewOptionException(CrewOption option, Position at, String message) {
        this(option, at + ": " + message);
    }

    /** Return the option whose value avoids the error. */
    public CrewOption option() {
        return option;
    }
}
