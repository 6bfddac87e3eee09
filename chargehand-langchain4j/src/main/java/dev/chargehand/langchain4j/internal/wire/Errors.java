package dev.chargehand.langchain4j.internal.wire;

import dev.chargehand.error.ModelException;
import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.provider.fault.ProviderFaults;
import tools.jackson.databind.JsonNode;

/**
 * Reads the errors that providers report inside an answer.
 *
 * @param faults makes the exceptions
 * @param key the key of the call, which no error may show
 */
public record Errors(ProviderFaults faults, String key) {

    /** Make the exception for an error object: one with a type, or with Google's code and status. */
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
                        key)
                .after(wait(error)));
    }

    /** Make the exception for a reason that ends an answer. */
    public ModelException reported(String reason, String explanation) {
        return faults.reported(ProviderError.of("", reason, explanation, key));
    }

    /** Return the wait that Google asks for in its details; empty if there is none. */
    private static String wait(JsonNode error) {
        for (JsonNode detail : error.path("details")) {
            if (detail.has("retryDelay")) {
                return detail.path("retryDelay").asString("");
            }
        }
        return "";
    }
}
