package dev.chargehand.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time by which the leases of other owners are judged, from a wall clock that may be set.
 *
 * <p>A step forward would end every lease at once, though every living owner renews its own within seconds. So it
 * counts only when they had the time to: until then it is taken off. Thread-safe.
 */
final class LeaseClock {

    /** A step of less than this ends no lease: it is valid for 30 s, and renewed every 10 s. */
    private static final Duration HARMLESS = Duration.ofSeconds(15);

    /** How long every living owner has to renew its lease; as long as a lease is. */
    private static final Duration DOUBT = Duration.ofSeconds(30);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private long ahead;
    private long stepped;
    private long doubtedSince;

    /**
     * Start without doubt.
     *
     * @param nanos a clock that is never set, such as {@link System#nanoTime}
     */
    LeaseClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.ahead = wall.millis() - monotonic();
    }

    private long monotonic() {
        return Duration.ofNanos(nanos.getAsLong()).toMillis();
    }

    /** Return the time on the wall clock, without steps forward that were made a moment ago. */
    synchronized Instant now() {
        Instant now = wall.instant();
        long passed = monotonic();
        long step = now.toEpochMilli() - passed - ahead;
        ahead += step;
        if (passed - doubtedSince >= DOUBT.toMillis()) {
            stepped = 0;
        }
        if (step >= HARMLESS.toMillis()) {
            stepped += step;
            doubtedSince = passed;
        } else if (step <= -HARMLESS.toMillis()) {
            stepped = Math.max(0, stepped + step);
        }
        return now.minusMillis(stepped);
    }
}
