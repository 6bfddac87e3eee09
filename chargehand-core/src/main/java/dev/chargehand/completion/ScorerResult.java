package dev.chargehand.completion;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of one scorer for an answer.
 *
 * @param scorer its name
 * @param score from 0 to 1; 0 if the scorer threw, took too long or gave something else
 * @param threshold the least score that passes
 * @param passed whether the score reaches the threshold
 * @param reason what the scorer said, or what went wrong with it; may be empty
 * @param duration how long it took
 * @param errorId the id that the log has for what the scorer threw; null if it threw nothing. The model receives this
 *     id instead of the reason
 */
public record ScorerResult(
        String scorer,
        double score,
        double threshold,
        boolean passed,
        String reason,
        Duration duration,
        @Nullable String errorId) {

    public ScorerResult {
        Objects.requireNonNull(scorer, "scorer");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(duration, "duration");
    }

    /** Create the result of a scorer that threw nothing. */
    public ScorerResult(
            String scorer, double score, double threshold, boolean passed, String reason, Duration duration) {
        this(scorer, score, threshold, passed, reason, duration, null);
    }
}
