package dev.chargehand.internal.state.value;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.nio.charset.StandardCharsets;

/** The state that the steps of a workflow's run share: a JSON object of bounded size. */
public final class SharedState {

    /** It has at most so many bytes. */
    public static final int MOST_BYTES = 256 * 1024;

    private SharedState() {}

    /** Return the size of a state, in bytes. */
    public static int bytes(Json state) {
        return state.text().getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Throw if no run may start with a state.
     *
     * @param subject what names it in the message, such as {@code Workflow 'ordering': its initial state}
     * @throws ConfigurationException if it is not an object, or is too large
     */
    public static void requireStartable(String subject, Json state) {
        if (!state.isObject()) {
            throw new ConfigurationException(subject + " must be a JSON object, but is " + state.text() + ".");
        }
        int bytes = bytes(state);
        if (bytes > MOST_BYTES) {
            throw new ConfigurationException(subject + " has " + bytes + " bytes, but at most " + MOST_BYTES
                    + " are allowed; keep large values outside and their keys in the state.");
        }
    }
}
