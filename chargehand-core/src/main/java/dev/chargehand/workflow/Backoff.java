package dev.chargehand.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.ReadableTime;
import java.time.Duration;

/**
 * The waits between the attempts of a step.
 *
 * @param first the wait before the second attempt, above zero and at most 5 minutes
 * @param doubles whether each wait is twice the one before it
 */
public record Backoff(Duration first, boolean doubles) {

    private static final Duration MOST = Duration.ofMinutes(5);

    /** After so many doublings every wait of at least a nanosecond is past the bound. */
    private static final int MOST_DOUBLINGS = 39;

    public Backoff {
        if (!first.isPositive() || first.compareTo(MOST) > 0) {
            throw new ConfigurationException("A wait between attempts must be above zero and at most "
                    + ReadableTime.of(MOST) + ", but is " + ReadableTime.of(first) + ".");
        }
    }

    /**
     * Double the wait from attempt to attempt, up to 5 minutes.
     *
     * @throws ConfigurationException if the first wait is not above zero, or above 5 minutes
     */
    public static Backoff exponential(Duration first) {
        return new Backoff(first, true);
    }

    /**
     * Wait equally long each time.
     *
     * @throws ConfigurationException if the wait is not above zero, or above 5 minutes
     */
    public static Backoff fixed(Duration wait) {
        return new Backoff(wait, false);
    }

    /**
     * Return the wait after a failed attempt, at most 5 minutes; a run varies it by up to a tenth at random.
     *
     * @param attempt the number of the failed attempt, from 1
     */
    public Duration delay(int attempt) {
        int doublings = doubles ? Math.clamp(attempt - 1L, 0, MOST_DOUBLINGS) : 0;
        Duration delay = first.multipliedBy(1L << doublings);
        return delay.compareTo(MOST) > 0 ? MOST : delay;
    }
}
