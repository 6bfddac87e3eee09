package dev.chargehand.store.memory;

import java.time.Instant;

/**
 * A reflection that is to be stored.
 *
 * @param replaces the number of the newest observation or reflection that the model saw
 * @param text what the model wrote; not blank
 * @param tokens how many tokens the text has
 * @param at when it was written
 */
public record NewReflection(long replaces, String text, int tokens, Instant at) {

    public NewReflection {
        if (replaces < 1 || text.isBlank() || tokens < 0) {
            throw new IllegalArgumentException("Not a reflection: it replaces " + replaces + ", " + tokens + " tokens, "
                    + text.length() + " characters.");
        }
    }
}
