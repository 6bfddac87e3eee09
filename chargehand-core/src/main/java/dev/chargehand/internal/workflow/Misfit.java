package dev.chargehand.internal.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.OneLine;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.List;

/** Rejects values of a caller that break a schema. */
public final class Misfit {

    /** Of a long schema only the start is in the message. */
    private static final int MOST_CHARACTERS = 300;

    private Misfit() {}

    /**
     * Throw if a value breaks a schema, with the fields that are wrong and what is allowed.
     *
     * @param what names the value and the schema, such as {@code Fork of run …: the input breaks its schema}
     * @throws ConfigurationException if it does
     */
    public static void reject(String what, JsonSchema schema, Json value) {
        List<String> violations = schema.violations(value);
        if (!violations.isEmpty()) {
            throw new ConfigurationException(what + ": " + String.join("; ", violations) + ". The schema is "
                    + OneLine.of(schema.json().text(), MOST_CHARACTERS) + ".");
        }
    }
}
