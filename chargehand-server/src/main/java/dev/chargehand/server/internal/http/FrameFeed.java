package dev.chargehand.server.internal.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that makes the texts of a stream, which {@link FrameLoop} writes. However it ends, the stream ends. Used by one thread. */
public final class FrameFeed implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FrameFeed.class);

    /** What makes the texts. */
    public interface Source {

        /** Put all texts. */
        void putAll() throws InterruptedException;
    }

    private final Runnable closing;
    private final Thread thread;

    private FrameFeed(Runnable closing, Thread thread) {
        this.closing = closing;
        this.thread = thread;
    }

    /**
     * Start it.
     *
     * @param closing ends what the source waits for
     */
    public static FrameFeed start(String name, FrameLoop loop, Source source, Runnable closing) {
        return new FrameFeed(closing, Thread.ofVirtual().name(name).start(() -> putAll(loop, source)));
    }

    private static void putAll(FrameLoop loop, Source source) {
        try {
            try {
                source.putAll();
            } catch (RuntimeException e) {
                LOG.error("A stream ends because its texts could not be made", e);
            }
            loop.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stop it, and wait until it puts nothing more. */
    public void stop() {
        closing.run();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
