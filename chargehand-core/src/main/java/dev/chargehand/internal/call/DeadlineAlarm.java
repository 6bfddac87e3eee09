package dev.chargehand.internal.call;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Rings at a deadline, wherever it has been moved to by then. Set once; thread-safe. */
final class DeadlineAlarm {

    private final TimeSource time;
    private final Deadline deadline;
    private final Runnable expire;
    private volatile TimeSource.@Nullable Alarm alarm;
    private volatile boolean stopped;

    /**
     * Make an alarm that is not set.
     *
     * @param expire called once the deadline has passed, perhaps on the thread that rings the alarms of all runs
     */
    DeadlineAlarm(TimeSource time, Deadline deadline, Runnable expire) {
        this.time = time;
        this.deadline = deadline;
        this.expire = expire;
    }

    /** Set it. */
    void set() {
        Duration remaining = deadline.remaining();
        if (!remaining.isPositive()) {
            expire.run();
        } else if (!stopped) {
            alarm = time.schedule(deadline.nextLook(remaining), this::set);
        }
    }

    /** Keep it from ringing. */
    void stop() {
        stopped = true;
        TimeSource.Alarm set = alarm;
        if (set != null) {
            set.cancel();
        }
    }
}
