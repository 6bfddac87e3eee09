package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Spending;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a run of any kind is.
 *
 * @param waitsUntil when the first of what the suspended run waits for expires, or null if it is not suspended
 * @param stop why the run ended, or null
 * @param unread the ids of the messages to the run that its model had not seen when the run ended
 * @param spent what the run and its finished descendants used
 * @param lastAt when the last fact happened
 * @param idle the time between facts that was not the run's
 */
record Progress(
        @Nullable Instant waitsUntil,
        @Nullable StopReason stop,
        List<String> unread,
        Spending spent,
        Instant lastAt,
        Duration idle) {

    static Progress from(Instant start) {
        return new Progress(null, null, List.of(), Spending.NOTHING, start, Duration.ZERO);
    }

    /** Return the time between two moments; none if the clock went back. */
    static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
