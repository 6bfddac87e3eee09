package dev.chargehand.server.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Writes the texts of a stream that another thread makes, and something that clients ignore while there are none: that is how a client that is
 * gone is noticed. The queue between the threads is bounded by the number and the size of its texts, so that a reader which is slow delays the
 * other thread.
 */
public final class FrameLoop {

    /** A stream that may be ended from outside, and whose writes are watched. */
    public interface Watched {

        /** Return whether the stream is to end because the server is being stopped, or its caller is signed in no longer. */
        boolean isEnded();

        /** Note that a write starts; it may take only so long. */
        void startWrite();

        /** Note that a write has ended. */
        void endWrite();
    }

    private static final int QUEUE = 256;

    /** How many characters the queue holds: at most one MiB. A text that is larger is held alone. */
    private static final int QUEUED_CHARACTERS = 512 * 1024;

    private static final int LONGEST_WRITE = 16_000;
    private static final String END = "";

    private final BlockingQueue<String> texts = new ArrayBlockingQueue<>(QUEUE);
    private final Semaphore room = new Semaphore(QUEUED_CHARACTERS);
    private final Watched stream;
    private final OutputStream out;

    /** Make it. */
    public FrameLoop(Watched stream, OutputStream out) {
        this.stream = stream;
        this.out = out;
    }

    /** Add a text that is not empty; this waits for a place. Called by the other thread. */
    public void put(String text) throws InterruptedException {
        room.acquire(size(text));
        texts.put(text);
    }

    /** Say that no text follows. Called by the other thread. */
    public void end() throws InterruptedException {
        texts.put(END);
    }

    /**
     * Write texts until the last one, or until the stream has to end before it.
     *
     * @param most how long the stream may take
     * @param heartbeat what is written after a pause
     * @param pause how long nothing is written
     */
    public void run(Duration most, String heartbeat, Duration pause) throws IOException {
        long end = System.nanoTime() + most.toNanos();
        while (!stream.isEnded() && System.nanoTime() < end) {
            String text;
            try {
                text = texts.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return; // the server is being stopped
            }
            if (text == null) {
                write(heartbeat);
                continue;
            }
            StringBuilder all = new StringBuilder();
            while (text != null && !text.isEmpty()) {
                all.append(text);
                room.release(size(text));
                text = all.length() < LONGEST_WRITE ? texts.poll() : null;
            }
            write(all.toString());
            if (END.equals(text)) {
                return;
            }
        }
    }

    private static int size(String text) {
        return Math.min(text.length(), QUEUED_CHARACTERS);
    }

    /** Return the texts that were not written, once the other thread has ended. */
    public String rest() {
        StringBuilder rest = new StringBuilder();
        texts.forEach(rest::append);
        return rest.toString();
    }

    /** Write a text; nothing if it is empty. */
    public void write(String text) throws IOException {
        if (text.isEmpty()) {
            return;
        }
        stream.startWrite();
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } finally {
            stream.endWrite();
        }
    }
}
