package dev.chargehand.completion;

import java.util.Objects;

/**
 * A score that was measured by the threshold of its scorer: the output of a step of a workflow that scores a text.
 *
 * @param scorer the name of the scorer
 * @param score from 0 to 1
 * @param threshold the least score that passes
 * @param passed whether the score reaches the threshold
 * @param reason what the scorer said; may be empty
 */
public record Scored(String scorer, double score, double threshold, boolean passed, String reason) {

    public Scored {
        Objects.requireNonNull(scorer, "scorer");
        Objects.requireNonNull(reason, "reason");
    }
}
