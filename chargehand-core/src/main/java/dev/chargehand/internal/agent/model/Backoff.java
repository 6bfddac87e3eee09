package dev.chargehand.internal.agent.model;

import dev.chargehand.error.ModelException;
import dev.chargehand.internal.call.Pause;
import dev.chargehand.internal.scope.RunScope;
import java.time.Duration;
import java.util.Optional;

/** Decides how long to wait before a failed model call is made again, and waits. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final Duration LONGEST_ASKED_FOR = Duration.ofSeconds(60);

    private final RunScope run;

    Backoff(RunScope run) {
        this.run = run;
    }

    /**
     * Return how long to wait, or nothing if the call is not to be made again.
     *
     * @param retry how many retries there were, from 0
     */
    Optional<Duration> waitAfter(ModelException failure, int retry) {
        if (!failure.retryable()) {
            return Optional.empty();
        }
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(LONGEST_ASKED_FOR) > 0) {
            return Optional.empty();
        }
        Duration grown = FIRST.multipliedBy(1L << Math.min(retry, 10));
        Duration most = grown.compareTo(LONGEST) > 0 ? LONGEST : grown;
        long spread = (long) (most.toNanos() * (0.5 + run.root().jitter().getAsDouble() / 2));
        Duration wait = Duration.ofNanos(spread);
        return Optional.of(asked.compareTo(wait) > 0 ? asked : wait);
    }

    /**
     * Wait.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    void await(Duration wait) {
        Pause.await(run.root().time(), wait, run.cancellation());
    }
}
