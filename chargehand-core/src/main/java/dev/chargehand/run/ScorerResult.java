package dev.chargehand.run;

import java.time.Duration;
import java.util.Objects;

/**
 * What one scorer said of an answer.
 *
 * @param scorer its name
 * @param score from 0 to 1; 0 if the scorer threw, took too long or gave something else
 * @param threshold the least score that passes
 * @param passed whether the score reaches the threshold
 * @param reason what the scorer said, or what went wrong with it; may be empty
 * @param duration how long it took
 */
public record ScorerResult(
        String scorer, double score, double threshold, boolean passed, String reason, Duration duration) {

    public ScorerResult {
        Objects.requireNonNull(scorer, "scorer");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(duration, "duration");
    }
}
