package dev.chargehand.server.internal.limit;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The results of runs, and the requests that wait for them: they are answered without one when the server is stopped. The result of a run
 * that the server executes is read by one thread for all of them. Thread-safe.
 */
public final class Results {

    private final Map<RunId, CompletableFuture<RunResult>> followed = new ConcurrentHashMap<>();
    private final Map<Thread, CompletableFuture<RunResult>> waiting = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /**
     * Read the result of a run that has just been started here.
     *
     * @param over called when the run has ended, or waits
     */
    public void follow(RunHandle run, Runnable over) {
        CompletableFuture<RunResult> result = new CompletableFuture<>();
        followed.put(run.runId(), result);
        Thread ignored = Thread.ofVirtual().name("chargehand-server-run").start(() -> {
            try {
                complete(result, run);
            } finally {
                followed.remove(run.runId(), result);
                over.run();
            }
        });
    }

    /** Return the result of a run; empty if it has none in time, waits for answers, or has not ended while the server is being stopped. */
    public Optional<RunResult> await(RunHandle handle, Duration limit) {
        CompletableFuture<RunResult> known = followed.get(handle.runId());
        CompletableFuture<RunResult> result = known == null ? new CompletableFuture<>() : known.copy();
        waiting.put(Thread.currentThread(), result);
        try {
            if (stopped && !handle.status().isEnded()) {
                return Optional.empty();
            }
            return known == null ? read(handle, limit, result) : ended(result, limit);
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /** Wait for no result any longer. */
    public void stop() {
        stopped = true;
        waiting.values().forEach(result -> result.cancel(false));
    }

    /** Return the result of a run that has ended; empty if it cannot be read in time. */
    public static Optional<RunResult> read(RunHandle handle, Duration limit) {
        return read(handle, limit, new CompletableFuture<>());
    }

    private static Optional<RunResult> read(RunHandle handle, Duration limit, CompletableFuture<RunResult> result) {
        Thread reader = Thread.ofVirtual().name("chargehand-server-result").start(() -> complete(result, handle));
        try {
            return ended(result, limit);
        } finally {
            reader.interrupt();
        }
    }

    private static void complete(CompletableFuture<RunResult> result, RunHandle handle) {
        try {
            result.complete(handle.result());
        } catch (RunFailedException e) {
            result.complete(e.result());
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    private static Optional<RunResult> ended(CompletableFuture<RunResult> result, Duration limit) {
        try {
            return Optional.of(result.get(limit.toMillis(), TimeUnit.MILLISECONDS))
                    .filter(it -> it.status().isEnded());
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
