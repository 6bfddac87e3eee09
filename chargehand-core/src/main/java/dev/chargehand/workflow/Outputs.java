package dev.chargehand.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of the steps of one entry that ran concurrently. As JSON it is an object with a key for each step that
 * ran, in the order of definition.
 *
 * <p>Immutable and thread-safe.
 */
public final class Outputs {

    private final Json json;
    private final Map<String, Json> byStep;

    /** Create the outputs from their JSON form, an object. */
    Outputs(Json json) {
        if (!json.isObject()) {
            throw new InvalidJsonException("Outputs must be a JSON object with a key for each step.", null);
        }
        this.json = json;
        this.byStep = json.fields();
    }

    /** Create the outputs from the output of each step that ran, by its id, in the order of definition. */
    public static Outputs of(Map<String, Json> byStep) {
        return new Outputs(Json.of(byStep));
    }

    /**
     * Return the output of a step that ran.
     *
     * @throws ConfigurationException if it did not run, is not a step of the entry, or has no output
     * @throws dev.chargehand.error.InvalidJsonException if the output does not fit the step's type
     */
    public <O> O get(Step<?, O> step) {
        return find(step)
                .orElseThrow(() -> new ConfigurationException("Step '" + step.id()
                        + "' has no output here; the steps with an output are " + byStep.keySet()
                        + ". Use find for a step that may not have run."));
    }

    /**
     * Return the output of a step; empty if it did not run, or is not a step of the entry, or the output is null.
     *
     * @throws dev.chargehand.error.InvalidJsonException if the output does not fit the step's type
     */
    public <O> Optional<O> find(Step<?, O> step) {
        return Optional.ofNullable(byStep.get(step.id())).flatMap(step::read);
    }

    /** Return the JSON form. */
    public Json json() {
        return json;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Outputs outputs && outputs.json.equals(json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.text();
    }
}
