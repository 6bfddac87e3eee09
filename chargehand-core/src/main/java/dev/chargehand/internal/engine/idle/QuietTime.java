package dev.chargehand.internal.engine.idle;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;

/** For how long nothing has happened in an until-idle call. For the thread that reads the call. */
final class QuietTime {

    private final TimeSource time;
    private final Duration limit;
    private long since;

    /** Make it for a call that starts now. */
    QuietTime(TimeSource time, Duration limit) {
        this.time = time;
        this.limit = limit;
        this.since = time.nanoTime();
    }

    /** Measure from now. */
    void restart() {
        since = time.nanoTime();
    }

    /** Return whether it has lasted as long as the call allows. */
    boolean isReached() {
        return time.nanoTime() - since >= limit.toNanos();
    }
}
