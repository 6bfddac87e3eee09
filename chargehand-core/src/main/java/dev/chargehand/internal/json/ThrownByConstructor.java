package dev.chargehand.internal.json;

import java.util.Optional;
import tools.jackson.databind.exc.ValueInstantiationException;

/** Finds what a constructor of the application threw when JSON was read as its type. */
public final class ThrownByConstructor {

    private ThrownByConstructor() {}

    /** Return what a constructor threw; empty if the reading failed for another reason. */
    public static Optional<Throwable> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ValueInstantiationException && cause.getCause() != null) {
                return Optional.of(cause.getCause());
            }
        }
        return Optional.empty();
    }
}
