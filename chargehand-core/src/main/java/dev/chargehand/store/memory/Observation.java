package dev.chargehand.store.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a model wrote about messages of a thread, so that a later model need not read them. A reflection is a shorter text that
 * stands for all observations before it.
 *
 * @param number its number in its thread, from 1; no other one of the thread ever has it
 * @param from the position of the first message that it is about
 * @param to the position after the last one
 * @param replaces of a reflection, the number of the newest observation or reflection that it stands for; null of an observation
 * @param text what the model wrote
 * @param tokens how many tokens the text has, as estimated when it was stored
 * @param at when it was stored
 */
public record Observation(
        long number, long from, long to, @Nullable Long replaces, String text, int tokens, Instant at) {

    public Observation {
        if (number < 1 || from < 0 || to < from || tokens < 0) {
            throw new IllegalArgumentException("Not an observation: number " + number + ", messages " + from + " to "
                    + to + ", " + tokens + " tokens.");
        }
    }

    /** Return whether it stands for earlier observations. */
    public boolean isReflection() {
        return replaces != null;
    }
}
