package dev.chargehand.internal.memory.side;

import java.time.Duration;
import java.time.LocalDate;

/** Thrown instead of calling a model when the tokens of a resource's day are spent. */
public final class TokensSpentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final LocalDate day;
    private final Duration left;

    TokensSpentException(LocalDate day, Duration left) {
        super("The tokens of " + day + " for the memory of the resource are spent.", null, false, false);
        this.day = day;
        this.left = left;
    }

    /** Return the day, in UTC. */
    public LocalDate day() {
        return day;
    }

    /** Return how long the day still lasts. */
    public Duration left() {
        return left;
    }
}
