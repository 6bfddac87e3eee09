package dev.chargehand.jdbc.internal.call;

import dev.chargehand.jdbc.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work on its way to a thread that owns a connection, and its answer on the way back.
 *
 * <p>The worker attempts it, maybe more than once, and settles it after the commit. The caller waits for the answer,
 * and may give up a call that no worker has started.
 */
public final class Call<T extends @Nullable Object> {

    private enum State {
        WAITING,
        BEGUN,
        GIVEN_UP
    }

    private final Function<Session, T> work;
    private final boolean durable;
    private final boolean alone;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    /** What the last attempt came to; touched by the worker's thread only. */
    private Runnable outcome = () -> {};

    /** Make a call that writes nothing, or nothing that must survive a power cut. */
    public Call(Function<Session, T> work) {
        this(work, false);
    }

    /**
     * Make a call.
     *
     * @param durable whether what it writes must survive a power cut
     */
    public Call(Function<Session, T> work, boolean durable) {
        this(work, durable, false);
    }

    private Call(Function<Session, T> work, boolean durable, boolean alone) {
        this.work = work;
        this.durable = durable;
        this.alone = alone;
    }

    /** Make a call that cannot be part of a transaction. */
    public static <T extends @Nullable Object> Call<T> alone(Function<Session, T> work) {
        return new Call<>(work, false, true);
    }

    /** Return whether it cannot be part of a transaction. */
    public boolean isAlone() {
        return alone;
    }

    public boolean isDurable() {
        return durable;
    }

    /** Claim the call for a worker; false if the caller has given it up. */
    public boolean begin() {
        return state.compareAndSet(State.WAITING, State.BEGUN);
    }

    /** Give the call up; false if a worker has started it, so that it may still happen. */
    public boolean giveUp() {
        return state.compareAndSet(State.WAITING, State.GIVEN_UP);
    }

    /** Do the work and keep its result for {@link #settle}. */
    public void attempt(Session session) {
        T result = work.apply(session);
        outcome = () -> answer.complete(result);
    }

    /** Keep a refusal for {@link #settle}: the work looked at the data and may not change it. */
    public void refuse(RuntimeException refusal) {
        outcome = () -> answer.completeExceptionally(refusal);
    }

    /** Hand the last attempt's outcome to the caller. */
    public void settle() {
        outcome.run();
    }

    /** Hand a failure to the caller. */
    public void fail(RuntimeException failure) {
        answer.completeExceptionally(failure);
    }

    /**
     * Wait for the answer and return it, or throw what the call threw. An interrupt is kept for later: what is on its
     * way to the disk has no other end than its answer.
     *
     * @param deadline a moment of {@link System#nanoTime()}
     * @throws TimeoutException if there is no answer by then
     */
    public T await(long deadline) throws TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                // The caller's stack says more than that of the worker's thread; the cause keeps its own.
                failure.setStackTrace(new Throwable().getStackTrace());
                throw failure;
            }
            throw new IllegalStateException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
