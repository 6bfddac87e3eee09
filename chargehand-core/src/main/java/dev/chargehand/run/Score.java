package dev.chargehand.run;

import java.util.Objects;

/**
 * How good an answer is.
 *
 * @param value from 0, useless, to 1, perfect; anything else, such as NaN, counts as failed
 * @param reason why, in words that a model and a person can act on; empty if there is nothing to say
 */
public record Score(double value, String reason) {

    public Score {
        Objects.requireNonNull(reason, "A score needs a reason; an empty one if there is nothing to say.");
    }

    /** Makes the score of an answer that has all that is asked for. */
    public static Score pass() {
        return new Score(1, "");
    }

    /** Makes the score of an answer that has all that is asked for, with a reason. */
    public static Score pass(String reason) {
        return new Score(1, reason);
    }

    /** Makes the score of an answer that lacks something; the reason says what. */
    public static Score fail(String reason) {
        return new Score(0, reason);
    }

    /** Makes a score between both. */
    public static Score of(double value, String reason) {
        return new Score(value, reason);
    }
}
