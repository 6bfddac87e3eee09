package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run's structured output.
 *
 * @param object the object; null if there is none
 * @param fallback whether the object is the fallback value, since the answer did not fit
 * @param problem what was wrong with the answer; null if it fits
 */
public record ObjectResult(
        @Nullable Json object, boolean fallback, @Nullable String problem) {

    public ObjectResult {
        if (object == null && problem == null) {
            object = Json.of(null); // as JSON's null is read back
        }
    }

    /** Make the result of an answer that fits. */
    public static ObjectResult of(Json object) {
        return new ObjectResult(object, false, null);
    }

    /** Make the result of an answer that does not fit. */
    public static ObjectResult invalid(String problem) {
        return new ObjectResult(null, false, problem);
    }

    /** Return this result with the fallback value for its object. */
    @CheckReturnValue
    public ObjectResult orElse(Json fallbackValue) {
        return new ObjectResult(fallbackValue, true, problem);
    }
}
