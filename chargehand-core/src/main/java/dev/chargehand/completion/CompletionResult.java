package dev.chargehand.completion;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The verdict on an answer, with the result of each scorer.
 *
 * @param complete whether the scorers together passed it
 * @param scorers what each said, in the order they were given; in sequential mode those that were called
 * @param duration how long scoring took
 */
public record CompletionResult(boolean complete, List<ScorerResult> scorers, Duration duration) {

    public CompletionResult {
        Objects.requireNonNull(duration, "duration");
        scorers = List.copyOf(scorers);
    }
}
