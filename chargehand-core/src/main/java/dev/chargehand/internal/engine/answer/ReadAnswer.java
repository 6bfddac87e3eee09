package dev.chargehand.internal.engine.answer;

import dev.chargehand.internal.fact.Spending;
import dev.chargehand.json.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a model read in a message.
 *
 * @param data what was asked for, which fits the schema of the question, or null if the message is no answer
 * @param spent what the model used
 */
public record ReadAnswer(@Nullable Json data, Spending spent) {

    /** Return what was asked for, if the message is an answer. */
    public Optional<Json> given() {
        return Optional.ofNullable(data);
    }
}
