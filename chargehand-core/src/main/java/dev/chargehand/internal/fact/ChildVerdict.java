package dev.chargehand.internal.fact;

import org.jspecify.annotations.Nullable;

/**
 * What was decided about the result of a delegation.
 *
 * @param bail the place among the bails of the step, by time, from 1; null if it did not bail
 * @param failure the code of what was wrong with a delegation that bailed without a usable answer, or null
 * @param feedback the message to the model before it is called again, or null
 */
public record ChildVerdict(
        @Nullable Integer bail,
        @Nullable String failure,
        @Nullable String feedback) {}
