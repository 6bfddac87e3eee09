package dev.chargehand.server.internal.limit;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.server.internal.http.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that wait for the results of runs: they are answered without one when the server is stopped. Thread-safe. */
public final class Results {

    private final Set<Deadline> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** Return the result of a run; empty if it has none in time, waits for answers, or has not ended while the server is being stopped. */
    public Optional<RunResult> await(RunHandle handle, Duration limit) {
        Deadline deadline = Deadline.within(limit);
        waiting.add(deadline);
        try {
            return stopped && !handle.status().isEnded() ? Optional.empty() : result(handle);
        } finally {
            waiting.remove(deadline);
            end(deadline);
        }
    }

    /** Wait for no result any longer. */
    public void stop() {
        stopped = true;
        waiting.forEach(Deadline::expire);
    }

    /** Return the result of a run that has ended; empty if it cannot be read in time. */
    public static Optional<RunResult> read(RunHandle handle, Duration limit) {
        Deadline deadline = Deadline.within(limit);
        try {
            return result(handle);
        } finally {
            end(deadline);
        }
    }

    private static Optional<RunResult> result(RunHandle handle) {
        try {
            return Optional.of(handle.result()).filter(it -> it.status().isEnded());
        } catch (RunFailedException e) {
            return Optional.of(e.result()).filter(it -> it.status().isEnded());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static void end(Deadline deadline) {
        if (!deadline.end()) {
            boolean ignored = Thread.interrupted(); // by the deadline; the answer is still to be sent
        }
    }
}
