package dev.chargehand.background;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import java.util.Objects;

/**
 * How many background tasks a runtime executes at once, and how one more is handled. Immutable.
 *
 * @param concurrency how many at once, from 1
 * @param perAgent how many of one agent or workflow at once, from 1
 * @param backpressure how one more is handled
 */
@Experimental
public record BackgroundLimits(int concurrency, int perAgent, Backpressure backpressure) {

    /** 10 tasks at once, 5 of one agent; others wait. */
    public static final BackgroundLimits DEFAULT = new BackgroundLimits(10, 5, Backpressure.QUEUE);

    /** How many tasks of one run may wait before one more is rejected. */
    public static final int MOST_WAITING = 1000;

    public BackgroundLimits {
        Objects.requireNonNull(backpressure, "backpressure");
        positive("concurrency", concurrency);
        positive("perAgent", perAgent);
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new ConfigurationException(
                    "Runtime option 'background': '" + name + "' must be above zero, but is " + value + ".");
        }
    }

    /** Return these limits with another number of tasks at once. */
    @CheckReturnValue
    public BackgroundLimits concurrency(int value) {
        return new BackgroundLimits(value, perAgent, backpressure);
    }

    /** Return these limits with another number of tasks of one agent or workflow at once. */
    @CheckReturnValue
    public BackgroundLimits perAgent(int value) {
        return new BackgroundLimits(concurrency, value, backpressure);
    }

    /** Return these limits with another handling of one more task. */
    @CheckReturnValue
    public BackgroundLimits backpressure(Backpressure value) {
        return new BackgroundLimits(concurrency, perAgent, value);
    }
}
