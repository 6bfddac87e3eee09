package dev.chargehand.jdbc.internal.call;

import dev.chargehand.jdbc.internal.session.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A platform thread with a connection of its own, because a call into SQLite would hold a virtual thread's carrier.
 *
 * <p>It takes calls off a queue until that is closed and empty, then closes its connection.
 */
public final class Worker {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final CallQueue queue;
    private final Thread thread;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /**
     * Start the thread.
     *
     * @param opener opens the connection, on the new thread
     * @param atMost how many calls to take at once
     * @param answerer answers all of them, in any case
     */
    public Worker(
            String name,
            CallQueue queue,
            Supplier<Session> opener,
            int atMost,
            BiConsumer<Session, List<Call<?>>> answerer) {
        this.queue = queue;
        this.thread = Thread.ofPlatform().daemon().name(name).start(() -> work(opener, atMost, answerer));
    }

    private void work(Supplier<Session> opener, int atMost, BiConsumer<Session, List<Call<?>>> answerer) {
        Session session;
        try {
            session = opener.get();
        } catch (Throwable e) {
            opened.completeExceptionally(e);
            return;
        }
        opened.complete(null);
        try (session) {
            for (List<Call<?>> calls = queue.take(atMost); !calls.isEmpty(); calls = queue.take(atMost)) {
                answerer.accept(session, calls);
            }
        } catch (RuntimeException e) {
            LOG.warn("{} did not close its connection in order.", thread.getName(), Causes.plain(e));
        }
    }

    /** Wait until the connection is open, or throw why it is not. */
    public void awaitOpened() {
        try {
            opened.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException why) {
                throw why;
            }
            throw e;
        }
    }

    /** Close the queue and wait for the rest of its calls, at most for a while; an interrupt is kept for later. */
    public void finish(Duration limit) {
        queue.close();
        long deadline = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended && System.nanoTime() < deadline) {
            try {
                ended = thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (!ended) {
            LOG.warn("{} is still busy after {}; its connection is closed when it is done.", thread.getName(), limit);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
