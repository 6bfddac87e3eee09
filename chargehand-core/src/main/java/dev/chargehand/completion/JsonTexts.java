package dev.chargehand.completion;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.EmbeddedObjects;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.List;
import java.util.Optional;

/** Finds JSON in what models write. */
final class JsonTexts {

    private static final int MOST_VIOLATIONS = 10;
    private static final int LONGEST_SCHEMA = 2_000;

    private JsonTexts() {}

    /** Score a text that is to be JSON of a schema. */
    static Score fits(String text, JsonSchema schema) {
        List<String> violations;
        try {
            violations = schema.violations(Json.parse(EmbeddedObjects.withoutFence(text)));
        } catch (InvalidJsonException e) {
            return Score.fail("The answer is not JSON: " + e.getMessage() + " Answer with one JSON value and no other"
                    + " words" + shown(schema) + ".");
        }
        if (violations.isEmpty()) {
            return Score.pass();
        }
        int more = violations.size() - MOST_VIOLATIONS;
        return Score.fail("The answer breaks its JSON schema: "
                + String.join("; ", violations.subList(0, Math.min(MOST_VIOLATIONS, violations.size())))
                + (more > 0 ? "; and " + more + " more" : "") + ". Fix it" + shown(schema) + ".");
    }

    private static String shown(JsonSchema schema) {
        String text = schema.json().text();
        return text.length() > LONGEST_SCHEMA ? "" : ", by this schema: " + text;
    }

    /** Return the JSON objects that are in a text, none inside another: the whole of it, or some between words. */
    static List<Json> objects(String text) {
        return EmbeddedObjects.in(text, JsonTexts::object);
    }

    private static Optional<Json> object(String text) {
        try {
            return Optional.of(Json.parse(text)).filter(Json::isObject);
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }
}
