package dev.chargehand.completion;

import java.util.Objects;

/**
 * The quality of an answer.
 *
 * @param value from 0, useless, to 1, perfect; anything else, such as NaN, counts as failed
 * @param reason why, in words that a model and a person can act on; empty if there is nothing to say
 */
public record Score(double value, String reason) {

    public Score {
        Objects.requireNonNull(reason, "A score needs a reason; an empty one if there is nothing to say.");
    }

    /** Make the score of an answer that meets all requirements. */
    public static Score pass() {
        return new Score(1, "");
    }

    /** Make the score of an answer that meets all requirements, with a reason. */
    public static Score pass(String reason) {
        return new Score(1, reason);
    }

    /** Make the score of an answer that fails a requirement; the reason describes which. */
    public static Score fail(String reason) {
        return new Score(0, reason);
    }

    /** Make a score between both. */
    public static Score of(double value, String reason) {
        return new Score(value, reason);
    }
}
