package dev.chargehand.server.internal.api;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.EventTypes;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.json.Json;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.shape.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Writes the events of runs as server-sent events. A thread of its own takes them from a watch; a watch whose reader falls behind
 * continues from the store.
 */
public final class EventStream implements Reply.Streamed {

    private static final int DEPTH = 100;
    private static final int TYPE_SHOWN = 50;

    /**
     * Which events a reader wants.
     *
     * @param deltas whether parts of texts are sent
     * @param types the types of events; empty for all
     * @param depth down to which depth of nested runs; 1 for the root only
     */
    public record Filter(boolean deltas, Set<String> types, int depth) {

        /**
         * Read the filter of a query.
         *
         * @throws dev.chargehand.server.internal.route.ProblemException if no event could pass it
         */
        public static Filter of(Call call) {
            return new Filter(
                    !call.query("deltas").filter("false"::equals).isPresent(),
                    call.query("types").map(Filter::types).orElse(Set.of()),
                    call.query("depth", 1, DEPTH, DEPTH));
        }

        private static Set<String> types(String names) {
            Set<String> types = new LinkedHashSet<>();
            for (String name : names.split(",", -1)) {
                String type = name.strip();
                if (!EventTypes.isKnown(type)) {
                    throw Problem.BAD_REQUEST.of("The parameter 'types' has '"
                            + (type.length() > TYPE_SHOWN ? type.substring(0, TYPE_SHOWN) + "…" : type)
                            + "', which no event is; known are " + EventTypes.described() + ".");
                }
                types.add(type);
            }
            return types;
        }

        boolean accepts(RunEvent event, String type) {
            return (deltas || !isDelta(event))
                    && (types.isEmpty() || types.contains(type))
                    && event.origin().path().depth() <= depth;
        }

        /** In a network these have other types. */
        private static boolean isDelta(RunEvent event) {
            return event instanceof RunEvent.TextDelta
                    || event instanceof RunEvent.ReasoningDelta
                    || event instanceof RunEvent.ToolCallDelta
                    || event instanceof RunEvent.PartialObject;
        }
    }

    /**
     * Events that arrive.
     *
     * @param events all of them, past and future
     * @param cursor returns the place after the last one that was taken
     * @param closing ends them
     */
    public record Watch(Iterator<RunEvent> events, Supplier<Optional<String>> cursor, Runnable closing)
            implements AutoCloseable {

        /** Return those of a run. */
        static Watch of(RunWatch watch) {
            return new Watch(watch.iterator(), () -> watch.cursor().map(Object::toString), watch::close);
        }

        /** Return those of several runs. */
        public static Watch of(RunsWatch watch) {
            return new Watch(watch.iterator(), () -> watch.cursor().map(Object::toString), watch::close);
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    /**
     * What a reader asks for.
     *
     * @param filter which events
     * @param last whether no event follows one
     * @param whenLost called when the reader is lost
     * @param headers further headers of the response
     */
    public record Wish(Filter filter, Predicate<RunEvent> last, Runnable whenLost, Map<String, String> headers) {}

    private final ServerState state;
    private final Call call;
    private final String place;
    private final Wish wish;
    private final Supplier<Watch> watches;
    private final Map<String, String> further = new LinkedHashMap<>();

    /**
     * Make it.
     *
     * @param place the id of the run, or what stands for one, of which so many streams may be open
     * @param watches opens the watch
     */
    public EventStream(ServerState state, Call call, String place, Wish wish, Supplier<Watch> watches) {
        this.state = state;
        this.call = call;
        this.place = place;
        this.wish = wish;
        this.watches = watches;
    }

    /** Add the parameters that select the events of a stream. */
    public static Operation selected(Operation operation) {
        return operation
                .header("Accept", Shape.TEXT, "The kind of answer.")
                .query("deltas", Shape.words("true", "false"), "Whether parts of texts are sent; default true.")
                .query("types", Shape.TEXT, "The types of events, separated by commas; default all.")
                .query(
                        "depth",
                        Shape.whole(1, DEPTH),
                        "Down to which depth of nested runs; 1 for the run alone; default 100.");
    }

    /** Return the cursor that a reader sends to continue after it. */
    public static Optional<String> cursor(Call call) {
        return call.header("last-event-id").filter(id -> !id.isBlank()).or(() -> call.query("from"));
    }

    @Override
    public EventStream withHeaders(Map<String, String> more) {
        further.putAll(more);
        return this;
    }

    /** Take the place of the stream, before the response starts. */
    public EventStream checked() {
        state.streams().reserve(call, place);
        return this;
    }

    @Override
    public void writeTo(Exchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(wish.headers());
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        headers.putAll(further);
        try (Streams.Open stream = state.streams().open(call, place);
                Watch watch = watch();
                OutputStream out = exchange.stream(200, headers)) {
            FrameLoop loop = new FrameLoop(stream, out);
            Thread reader = Thread.ofVirtual().name("chargehand-server-reader").start(() -> read(watch, loop));
            try {
                loop.write("retry: 1000\n\n");
                loop.run(state.limit(ServerTimeLimit.STREAM), ": hb\n\n", state.limit(ServerTimeLimit.HEARTBEAT));
                loop.write(stream.lastFrame());
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
    private Watch watch() {
        try {
            return watches.get();
        } catch (StoreException e) {
            throw e.kind() == StoreException.Kind.NOT_FOUND
                    ? Problem.RUN_UNKNOWN.of("There is no run with this id, or the store does not keep ended runs.")
                    : Problem.STORE_UNAVAILABLE.of("The store could not be used. Try again.");
        }
    }

    private void read(Watch watch, FrameLoop loop) {
        try {
            takeAll(watch, loop);
            loop.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeAll(Watch watch, FrameLoop loop) throws InterruptedException {
        try {
            Iterator<RunEvent> events = watch.events();
            boolean last = false;
            while (!last && events.hasNext()) {
                RunEvent event = events.next();
                last = wish.last().test(event);
                Optional<String> cursor =
                        event.origin().id().flatMap(id -> watch.cursor().get());
                String text = text(event, cursor, last);
                if (!text.isEmpty()) {
                    loop.put(text);
                }
            }
        } catch (StoreException e) {
            // the client continues with its cursor
        }
    }

    /** Return the frame of an event. The id of the last one is sent in any case: a reader comes back with it, and is not sent the rest again. */
    private String text(RunEvent event, Optional<String> cursor, boolean last) {
        Json json = json(event);
        String type = json.at("/type").flatMap(Json::string).orElse("");
        String id = cursor.map(place -> "id: " + place + "\n").orElse("");
        if (wish.filter().accepts(event, type)) {
            return id + "event: " + type + "\ndata: " + json.text() + "\n\n";
        }
        return last && !id.isEmpty() ? id + "\n" : "";
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
