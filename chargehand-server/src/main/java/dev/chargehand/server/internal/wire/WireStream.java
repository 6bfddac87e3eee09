package dev.chargehand.server.internal.wire;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.FrameFeed;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the events of a run in the form of a wire. A thread of its own takes them from the run's watch. */
public final class WireStream implements Reply.Streamed {

    private static final Duration HEARTBEAT = Duration.ofSeconds(2);

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
    private final Call call;
    private final Plan plan;
    private final Encoder encoder;
    private final Map<String, String> further = new LinkedHashMap<>();
    private volatile boolean stopsEarly;

    /** Make it, and take its place if the request has none yet. */
    public WireStream(ServerState state, Call call, Plan plan, Encoder encoder) {
        this.state = state;
        this.call = call;
        this.plan = plan;
        this.encoder = encoder;
        Streams.Open stream = state.streams().open(call, plan.root().value());
        if (plan.cancels()) {
            stream.own();
        }
    }

    @Override
    public WireStream withHeaders(Map<String, String> more) {
        further.putAll(more);
        return this;
    }

    @Override
    public void writeTo(Exchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        headers.put("X-Run-Id", plan.root().value());
        headers.putAll(plan.headers());
        headers.putAll(further);
        boolean whole = false;
        try (Streams.Open stream = state.streams().open(call, plan.root().value());
                RunWatch watch = state.watch(call, plan.root());
                OutputStream out = exchange.stream(200, headers)) {
            FrameLoop loop = new FrameLoop(stream, out);
            try (FrameFeed feed =
                    FrameFeed.start("chargehand-server-wire", loop, () -> takeAll(watch, loop), watch::close)) {
                loop.run(state.limit(ServerTimeLimit.STREAM), plan.heartbeat(), heartbeat());
                feed.stop();
                loop.write(loop.rest() + released());
                whole = !stopsEarly;
            }
        } finally {
            if (!whole
                    && plan.cancels()
                    && !state.isDraining()
                    && !state.streams().hasOwners(plan.root())) {
                state.runtime(call.principal()).cancel(plan.root()); // else its client has sent the request again
            }
        }
    }

    private Duration heartbeat() {
        Duration own = state.limit(ServerTimeLimit.HEARTBEAT);
        return own.compareTo(HEARTBEAT) < 0 ? own : HEARTBEAT;
    }

    private String released() {
        StringBuilder text = new StringBuilder();
        if (!encoder.isDone()) {
            encoder.released().forEach(frame -> text.append(frame.text()));
        }
        return text.toString();
    }

    private void takeAll(RunWatch watch, FrameLoop loop) throws InterruptedException {
        boolean last = true;
        try {
            Iterator<RunEvent> events = watch.iterator();
            while (!encoder.isDone() && events.hasNext()) {
                RunEvent event = events.next();
                last = event.runId().equals(plan.root()) && Outcome.isLast(event);
                for (Frame frame : encoder.encode(event)) {
                    loop.put(frame.text());
                }
            }
            stopsEarly = encoder.isDone() && !last;
        } catch (StoreException e) {
            stopsEarly = false; // the run continues; what ends the stream says so
        }
    }
}
