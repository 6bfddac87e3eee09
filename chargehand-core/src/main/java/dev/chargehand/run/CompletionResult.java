package dev.chargehand.run;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Whether an answer was complete, and what each scorer said of it.
 *
 * @param complete whether the scorers together passed it
 * @param scorers what each said, in the order they were given; in sequential mode those that were asked
 * @param duration how long scoring took
 */
public record CompletionResult(boolean complete, List<ScorerResult> scorers, Duration duration) {

    public CompletionResult {
        Objects.requireNonNull(duration, "duration");
        scorers = List.copyOf(scorers);
    }
}
