package dev.chargehand.langchain4j.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.models.internal.Faults;
import dev.chargehand.models.internal.ProviderError;
import tools.jackson.databind.JsonNode;

/**
 * Reads the errors that providers report inside an answer.
 *
 * @param faults makes the exceptions
 * @param key the key of the call, which no error may show
 */
public record Errors(Faults faults, String key) {

    /** Makes the exception for an error object: one with a type, or with Google's code and status. */
    ModelException reported(JsonNode error) {
        if (!error.isObject()) {
            String text = error.asString("");
            return faults.reported(ProviderError.of("", text, text, key));
        }
        String type = error.path("type").asString("");
        return faults.reported(ProviderError.of(
                error.path("code").asString(""),
                type.isEmpty() ? error.path("status").asString("") : type,
                error.path("message").asString(""),
                key));
    }
}
