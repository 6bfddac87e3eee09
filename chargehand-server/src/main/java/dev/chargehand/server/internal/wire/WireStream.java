package dev.chargehand.server.internal.wire;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.route.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes the events of a run in the form of a wire. A thread of its own takes them from the run's watch, so that comments can be sent while
 * there are none; they are how a client that is gone is noticed.
 */
public final class WireStream implements Reply.Streamed {

    private static final int QUEUE = 256;
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Frame END = new Frame("");

    /**
     * What is streamed.
     *
     * @param cancels whether the run is cancelled if the client goes before its end
     * @param headers further headers
     * @param heartbeat what is written while there are no events, and clients ignore
     */
    public record Plan(RunId root, boolean cancels, Map<String, String> headers, String heartbeat) {

        private static final String COMMENT = ": hb\n\n";

        /** Make the plan of a stream of server-sent events. */
        public Plan(RunId root, boolean cancels, Map<String, String> headers) {
            this(root, cancels, headers, COMMENT);
        }

        /** Stream a run that continues if the client goes. */
        public static Plan ofReader(RunId root) {
            return new Plan(root, false, Map.of());
        }

        /** Return this plan with further headers. */
        public Plan withHeaders(Map<String, String> more) {
            return new Plan(root, cancels, more, heartbeat);
        }

        /** Return this plan for a stream of another form. */
        public Plan withHeartbeat(String text) {
            return new Plan(root, cancels, headers, text);
        }
    }

    private final ServerState state;
    private final Principal principal;
    private final Plan plan;
    private final Encoder encoder;
    private volatile boolean stopsEarly;

    /** Make it, and check that a stream may be opened. */
    public WireStream(ServerState state, Principal principal, Plan plan, Encoder encoder) {
        this.state = state;
        this.principal = principal;
        this.plan = plan;
        this.encoder = encoder;
        state.streams().open(principal, plan.root()).close();
    }

    @Override
    public void writeTo(Exchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        headers.put("X-Run-Id", plan.root().value());
        headers.putAll(plan.headers());
        boolean whole = false;
        try (Streams.Open stream = state.streams().open(principal, plan.root());
                RunWatch watch = state.runtime(principal).watch(plan.root(), null);
                OutputStream out = exchange.stream(200, headers)) {
            BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(QUEUE);
            Thread reader = Thread.ofVirtual().name("chargehand-server-wire").start(() -> read(watch, frames));
            try {
                write(frames, stream, out);
                stop(watch, reader);
                writeRest(frames, stream, out);
                whole = !stopsEarly;
            } finally {
                stop(watch, reader);
            }
        } finally {
            if (!whole && plan.cancels() && !state.isDraining()) {
                state.runtime(principal).cancel(plan.root());
            }
        }
    }

    /** Write frames until the last one, or until the stream has to end before it. */
    private void write(BlockingQueue<Frame> frames, Streams.Open stream, OutputStream out) throws IOException {
        long end = System.nanoTime() + state.limit(ServerTimeLimit.STREAM).toNanos();
        long heartbeat = Math.min(
                HEARTBEAT.toMillis(), state.limit(ServerTimeLimit.HEARTBEAT).toMillis());
        while (!stream.isEnded() && System.nanoTime() < end) {
            Frame frame;
            try {
                frame = frames.poll(heartbeat, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                return; // the server is being stopped
            }
            StringBuilder text = new StringBuilder(frame == null ? plan.heartbeat() : "");
            while (frame != null && !frame.equals(END)) {
                text.append(frame.text());
                frame = text.length() < 16_000 ? frames.poll() : null;
            }
            write(stream, out, text.toString());
            if (END.equals(frame)) {
                return;
            }
        }
    }

    private void writeRest(BlockingQueue<Frame> frames, Streams.Open stream, OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        frames.forEach(frame -> text.append(frame.text()));
        if (!encoder.isDone()) {
            encoder.released().forEach(frame -> text.append(frame.text()));
        }
        write(stream, out, text.toString());
    }

    private static void stop(RunWatch watch, Thread reader) {
        watch.close();
        reader.interrupt();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(Streams.Open stream, OutputStream out, String text) throws IOException {
        stream.startWrite();
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (UncheckedIOException e) { // how a server of HTTP reports a client that is gone
            throw new IOException(e.getMessage(), e);
        } finally {
            stream.endWrite();
        }
    }

    private void read(RunWatch watch, BlockingQueue<Frame> frames) {
        try {
            takeAll(watch, frames);
            frames.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeAll(RunWatch watch, BlockingQueue<Frame> frames) throws InterruptedException {
        boolean last = true;
        try {
            Iterator<RunEvent> events = watch.iterator();
            while (!encoder.isDone() && events.hasNext()) {
                RunEvent event = events.next();
                last = event.runId().equals(plan.root()) && Outcome.isLast(event);
                for (Frame frame : encoder.encode(event)) {
                    frames.put(frame);
                }
            }
            stopsEarly = encoder.isDone() && !last;
        } catch (StoreException e) {
            stopsEarly = false; // the run continues; what ends the stream says so
        }
    }
}
