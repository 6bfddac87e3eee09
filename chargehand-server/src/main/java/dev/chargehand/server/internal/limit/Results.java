package dev.chargehand.server.internal.limit;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The requests that wait for the result of a run: they are answered without it when the server is stopped. Thread-safe. */
public final class Results {

    private final Map<Thread, CompletableFuture<RunResult>> waiting = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** Return the result of a run; empty if it has none in time, waits for answers, or has not ended while the server is being stopped. */
    public Optional<RunResult> await(RunHandle handle, Duration limit) {
        CompletableFuture<RunResult> result = new CompletableFuture<>();
        waiting.put(Thread.currentThread(), result);
        try {
            return stopped && !handle.status().isEnded() ? Optional.empty() : read(handle, limit, result);
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
        Thread reader = Thread.ofVirtual().name("chargehand-server-result").start(() -> {
            try {
                result.complete(handle.result());
            } catch (RunFailedException e) {
                result.complete(e.result());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return Optional.of(result.get(limit.toMillis(), TimeUnit.MILLISECONDS))
                    .filter(it -> it.status().isEnded());
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            reader.interrupt();
        }
    }
}
