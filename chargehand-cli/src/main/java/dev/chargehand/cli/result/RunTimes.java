package dev.chargehand.cli.result;

import dev.chargehand.event.RunEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long a run was executed, and how long it was not, because it waited for an answer or a time, or its process was
 * dead.
 *
 * @param worked the time in which a process executed it
 * @param waited the rest of the time since its start, up to its end or, while it waits, until now; zero for moments
 */
public record RunTimes(Duration worked, Duration waited) {

    /** Between the facts of a run that never waited are moments, too. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(100);

    /** Return whether a run that took so long may have waited at all. */
    public static boolean mayHaveWaited(Duration took) {
        return took.compareTo(LEAST_WAIT) >= 0;
    }

    /** Return the times of a run that never waited. */
    public static RunTimes ofWork(Duration worked) {
        return new RunTimes(worked, Duration.ZERO);
    }

    /** Return the times of a run with a history. */
    public static RunTimes of(List<RunEvent> history, Instant now) {
        if (history.isEmpty()) {
            return ofWork(Duration.ZERO);
        }
        Instant startedAt = history.getFirst().time();
        RunEvent last = history.getLast();
        Instant until = last instanceof RunEvent.RunSuspend ? now : last.time();
        Duration worked = worked(history);
        Duration rest = Duration.between(startedAt, until).minus(worked);
        return new RunTimes(worked, mayHaveWaited(rest) ? rest : Duration.ZERO);
    }

    /** The end or the suspension of a run says it; what comes after a suspension counts from its first event. */
    private static Duration worked(List<RunEvent> history) {
        Duration before = Duration.ZERO;
        Instant since = history.getFirst().time();
        boolean rests = false;
        for (RunEvent event : history) {
            if (event.path().isRoot() && event instanceof RunEvent.RunFinish finish) {
                return finish.duration();
            }
            if (event.path().isRoot() && event instanceof RunEvent.RunSuspend suspend) {
                before = suspend.duration();
                rests = true;
            } else if (rests) {
                since = event.time();
                rests = false;
            }
        }
        return rests
                ? before
                : before.plus(Duration.between(since, history.getLast().time()));
    }
}
