package dev.chargehand.memory;

import dev.chargehand.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/** Rejects the null of a caller whose build does not look for it, before it does harm far from its cause. */
final class Given {

    private Given() {}

    /**
     * Return a value.
     *
     * @throws ConfigurationException if it is null
     */
    static <T> T value(String what, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException(what + " must not be null; leave the call out to keep the default.");
        }
        return value;
    }
}
