package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rejects the null of a caller whose build does not look for it, before it does harm far from its cause. */
final class Given {

    private Given() {}

    /**
     * Return a value.
     *
     * @param what names it in the error, such as {@code Option 'budget'}
     * @throws ConfigurationException if it is null
     */
    static <T> T value(String what, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException(what + " must not be null; leave the call out to keep the default.");
        }
        return value;
    }

    /**
     * Return the input of a run, checked.
     *
     * @throws ConfigurationException if it is null or has a null in it
     */
    static <T> List<T> input(String agentId, @Nullable List<@Nullable T> input) {
        if (input == null || input.stream().anyMatch(each -> each == null)) {
            throw new ConfigurationException("Agent '" + agentId + "': the input of a run must not be null, nor hold a"
                    + " null; pass a text, or a list of messages.");
        }
        return List.copyOf(input);
    }
}
