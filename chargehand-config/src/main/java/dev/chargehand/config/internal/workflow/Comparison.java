package dev.chargehand.config.internal.workflow;

import dev.chargehand.json.Json;
import java.util.Optional;

/**
 * A condition: the value at a place is a given one. A value that is missing is not.
 *
 * @param value the value as text: a text as it is, others as JSON
 */
public record Comparison(ValuePointer pointer, String value) {

    /** Return whether it holds in a run. */
    public boolean holds(RunValues values) {
        Optional<Json> found = pointer.find(values);
        return found.isPresent()
                && found.get().string().orElseGet(() -> found.get().text()).equals(value);
    }
}
