package dev.chargehand.server.internal.api;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes the events of a run as server-sent events. A thread of its own takes them from the run's watch; a watch whose reader falls behind
 * continues from the store.
 */
final class EventStream implements Reply.Streamed {

    /**
     * Which events a reader wants.
     *
     * @param deltas whether parts of texts are sent
     * @param types the types of events; empty for all
     * @param depth down to which depth of nested runs; 0 for the root only
     */
    record Filter(boolean deltas, Set<String> types, int depth) {

        private static final Set<String> DELTAS = Set.of("text-delta", "reasoning-delta", "tool-call-delta", "object");

        /** Read the filter of a query. */
        static Filter of(Call call) {
            return new Filter(
                    !call.query("deltas").filter("false"::equals).isPresent(),
                    call.query("types")
                            .map(types -> Set.copyOf(List.of(types.split(","))))
                            .orElse(Set.of()),
                    call.query("depth", 0, 100, 100));
        }

        boolean accepts(RunEvent event, String type) {
            return (deltas || !DELTAS.contains(type))
                    && (types.isEmpty() || types.contains(type))
                    && event.origin().path().depth() <= depth;
        }
    }

    /**
     * What a reader asks for.
     *
     * @param filter which events
     * @param untilEnd whether the stream stays open while the run waits for answers
     * @param whenLost called when the reader is lost
     * @param headers further headers of the response
     */
    record Wish(Filter filter, boolean untilEnd, Runnable whenLost, Map<String, String> headers) {}

    private final ServerState state;
    private final Principal caller;
    private final RunId root;
    private final Wish wish;
    private final Function<RunId, RunWatch> watches;

    /**
     * Make it.
     *
     * @param watches opens the watch of a run
     */
    EventStream(ServerState state, Principal caller, RunId root, Wish wish, Function<RunId, RunWatch> watches) {
        this.state = state;
        this.caller = caller;
        this.root = root;
        this.wish = wish;
        this.watches = watches;
    }

    /** Check that a stream may be opened, before the response starts. */
    EventStream checked() {
        state.streams().open(caller, root).close();
        return this;
    }

    @Override
    public void writeTo(Exchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(wish.headers());
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        headers.put("X-Run-Id", root.value());
        try (Streams.Open stream = state.streams().open(caller, root);
                RunWatch watch = watch();
                OutputStream out = exchange.stream(200, headers)) {
            FrameLoop loop = new FrameLoop(stream, out);
            Thread reader = Thread.ofVirtual().name("chargehand-server-reader").start(() -> read(watch, loop));
            try {
                loop.write("retry: 1000\n\n");
                loop.run(state.limit(ServerTimeLimit.STREAM), ": hb\n\n", state.limit(ServerTimeLimit.HEARTBEAT));
                if (stream.isEnded()) {
                    loop.write("event: server-draining\ndata: {\"type\":\"server-draining\"}\n\n");
                }
            } finally {
                watch.close();
                reader.interrupt();
            }
        } catch (IOException e) {
            wish.whenLost().run();
            throw e;
        }
    }

    /** Open the watch, before the response starts. A store in memory may have forgotten a run that has ended. */
    private RunWatch watch() {
        try {
            return watches.apply(root);
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.NOT_FOUND
                    ? Problem.RUN_UNKNOWN.of("There is no run with this id, or the store does not keep ended runs.")
                    : Problem.STORE_UNAVAILABLE.of("The store could not be used. Try again.");
        }
    }

    private void read(RunWatch watch, FrameLoop loop) {
        try {
            takeAll(watch, loop);
            loop.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeAll(RunWatch watch, FrameLoop loop) throws InterruptedException {
        try {
            Iterator<RunEvent> events = watch.iterator();
            boolean last = false;
            while (!last && events.hasNext()) {
                RunEvent event = events.next();
                last = isLast(event);
                Optional<String> cursor =
                        event.origin().id().flatMap(id -> watch.cursor().map(Object::toString));
                String text = text(event, cursor);
                if (!text.isEmpty()) {
                    loop.put(text);
                }
            }
        } catch (StoreException e) {
            // the client continues with its cursor
        }
    }

    private boolean isLast(RunEvent event) {
        return event.origin().runId().equals(root)
                && (event instanceof RunEvent.RunFinish
                        || event instanceof RunEvent.RunReleased
                        || (event instanceof RunEvent.RunSuspend && !wish.untilEnd()));
    }

    private String text(RunEvent event, Optional<String> cursor) {
        Json json = json(event);
        String type = json.at("/type").flatMap(Json::string).orElse("");
        if (!wish.filter().accepts(event, type)) {
            return "";
        }
        return cursor.map(id -> "id: " + id + "\n").orElse("") + "event: " + type + "\ndata: " + json.text() + "\n\n";
    }

    /** Return an event as clients may see it: on one line, and without the words of a model's provider. */
    static Json json(RunEvent event) {
        Json json = event.toJson();
        if (json.text().indexOf('\n') >= 0 || json.text().indexOf('\r') >= 0) {
            json = json.canonical(); // arguments are kept as the model wrote them, perhaps on several lines
        }
        if (!(event instanceof RunEvent.Error)) {
            return json;
        }
        Map<String, Json> fields = json.fields();
        fields.remove("providerMessage");
        return Json.of(fields);
    }
}
