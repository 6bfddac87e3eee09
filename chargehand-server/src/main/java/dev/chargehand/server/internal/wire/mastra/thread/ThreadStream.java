package dev.chargehand.server.internal.wire.mastra.thread;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.FrameFeed;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.wire.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Writes the runs of a thread until its client goes, the server is stopped, or the time of a stream is over. A thread of its own takes their events. It
 * starts with a comment, so that the client has its answer before a run starts.
 */
public final class ThreadStream implements Reply.Streamed {

    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

    private final ServerState state;
    private final Call call;
    private final String place;
    private final Supplier<RunsWatch> watches;
    private final ThreadEncoder encoder;

    /**
     * Make it, and take its place.
     *
     * @param place what stands for a run, of which so many streams may be open
     * @param watches opens the reader of the thread
     */
    public ThreadStream(
            ServerState state, Call call, String place, Supplier<RunsWatch> watches, ThreadEncoder encoder) {
        this.state = state;
        this.call = call;
        this.place = place;
        this.watches = watches;
        this.encoder = encoder;
        state.streams().reserve(call, place);
    }

    @Override
    public void writeTo(Exchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        try (Streams.Open stream = state.streams().open(call, place);
                RunsWatch watch = watches.get();
                OutputStream out = exchange.stream(200, headers)) {
            FrameLoop loop = new FrameLoop(stream, out);
            try (FrameFeed feed =
                    FrameFeed.start("chargehand-server-thread", loop, () -> takeAll(watch, loop), watch::close)) {
                loop.write(": subscribed\n\n");
                loop.run(state.limit(ServerTimeLimit.STREAM), ": hb\n\n", heartbeat());
                feed.stop();
                loop.write(loop.rest() + Frame.DONE.text());
            }
        }
    }

    private Duration heartbeat() {
        Duration own = state.limit(ServerTimeLimit.HEARTBEAT);
        return own.compareTo(HEARTBEAT) < 0 ? own : HEARTBEAT;
    }

    private void takeAll(RunsWatch watch, FrameLoop loop) throws InterruptedException {
        try {
            Iterator<RunEvent> events = watch.iterator();
            while (events.hasNext()) {
                for (Frame frame : encoder.encode(events.next())) {
                    loop.put(frame.text());
                }
            }
        } catch (StoreException e) {
            // the stream ends, and its client subscribes again
        }
    }
}
