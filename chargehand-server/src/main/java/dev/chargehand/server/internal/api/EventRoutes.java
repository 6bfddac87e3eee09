package dev.chargehand.server.internal.api;

import dev.chargehand.TenantRuntime;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.limit.Results;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes that read the events of runs. */
final class EventRoutes {

    private static final Duration LOST_READER = Duration.ofSeconds(5);
    private static final int PAGE = 200;

    private final ServerState state;
    private final Owners owners;

    EventRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/api/v1/runs/{id}/events",
                Route.Access.of(Scope.RUNS_READ),
                "Read the events of a run and its nested runs, as a stream or in pages",
                filtered(Operation.NONE)
                        .query("from", Shape.TEXT, "A cursor: continue after it.")
                        .header("Last-Event-ID", Shape.TEXT, "A cursor: continue after it.")
                        .query("limit", Shape.whole(1, PAGE), "How many events a page has; default 50.")
                        .answer(
                                200,
                                new Operation.Answer(
                                        "A page, with 'Accept: application/json'; otherwise a stream.",
                                        Map.of("application/json", RunShapes.EVENTS, "text/event-stream", Shape.TEXT),
                                        Map.of()))
                        .answer(
                                204,
                                new Operation.Answer("The run has ended, and was read to its end.", Map.of(), Map.of()))
                        .problems(Problem.RUN_UNKNOWN, Problem.BAD_CURSOR, Problem.TOO_MANY_STREAMS, Problem.DRAINING),
                this::read));
    }

    /** Add what selects the events of a stream. */
    static Operation filtered(Operation operation) {
        return EventStream.selected(operation)
                .query("until", Shape.words("end"), "With 'end' a stream stays open while the run waits.")
                .query(
                        "onDisconnect",
                        Shape.words("cancel"),
                        "With 'cancel' the run is cancelled 5 seconds after its last reader has left.");
    }

    private Reply read(Call call) {
        RunRecord run = owners.run(call);
        if (!run.isRoot()) {
            throw Problem.BAD_REQUEST
                    .of("The run is a nested one; its events are among those of its root run.")
                    .with("rootRunId", run.rootRunId().value());
        }
        EventStream.Filter selected = EventStream.Filter.of(call);
        Cursor after = after(call, run);
        if (call.prefers("application/json", "text/event-stream")) {
            return page(call, run, after, selected);
        }
        if (after != null && run.status().isEnded() && !hasMore(call, run, after)) {
            return Reply.empty(204); // tells a browser not to connect again
        }
        return stream(call, run.runId(), after);
    }

    /** Return the requests that wait for results in place of events. */
    Results results() {
        return state.results();
    }

    /** Return the stream of a run's events. */
    Reply stream(Call call, RunId run, @Nullable Cursor after) {
        return stream(call, run, after, Map.of());
    }

    /** Return the stream of a run's events, with headers. */
    Reply stream(Call call, RunId run, @Nullable Cursor after, Map<String, String> headers) {
        TenantRuntime runtime = state.runtime(call.principal());
        boolean untilEnd = call.query("until").filter("end"::equals).isPresent();
        PastWaits past = new PastWaits(runtime, run);
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put("X-Run-Id", run.value());
        EventStream.Wish wish = new EventStream.Wish(
                EventStream.Filter.of(call),
                event -> isLast(event, run) || (!untilEnd && isSuspension(event, run) && !past.have(event)),
                call.query("onDisconnect").filter("cancel"::equals).isPresent()
                        ? () -> cancelLater(runtime, run)
                        : () -> {},
                all);
        return new EventStream(
                        state,
                        call,
                        run.value(),
                        wish,
                        () -> EventStream.Watch.of(after == null ? state.watch(call, run) : runtime.watch(run, after)))
                .checked();
    }

    private static boolean isLast(RunEvent event, RunId root) {
        return event.runId().equals(root)
                && (event instanceof RunEvent.RunFinish || event instanceof RunEvent.RunReleased);
    }

    private static boolean isSuspension(RunEvent event, RunId root) {
        return event.runId().equals(root) && event instanceof RunEvent.RunSuspend;
    }

    /**
     * Those suspensions of a run that are over: a reader may come when they were answered long ago. The history is read when the first one
     * arrives that is not known to be over, and again at the next such one. Used by one thread.
     */
    private static final class PastWaits {

        private final TenantRuntime runtime;
        private final RunId run;
        private Set<EventId> over = Set.of();

        PastWaits(TenantRuntime runtime, RunId run) {
            this.runtime = runtime;
            this.run = run;
        }

        boolean have(RunEvent suspension) {
            EventId id = suspension.origin().id().orElseThrow();
            if (!over.contains(id)) {
                over = read();
            }
            return over.contains(id);
        }

        private Set<EventId> read() {
            Set<EventId> found = new HashSet<>();
            boolean followed = false;
            for (RunEvent event : runtime.history(run).reversed()) {
                if (followed && isSuspension(event, run)) {
                    found.add(event.origin().id().orElseThrow());
                }
                followed |= event.runId().equals(run)
                        && (event instanceof RunEvent.RunResume || event instanceof RunEvent.RunFinish);
            }
            return found;
        }
    }

    /** Cancel a run whose reader is lost, unless it has one again soon. */
    private void cancelLater(TenantRuntime runtime, RunId run) {
        Thread.ofVirtual().name("chargehand-server-lost-reader").start(() -> {
            try {
                Thread.sleep(LOST_READER);
                if (!state.streams().hasReaders(run) && !state.isDraining()) {
                    runtime.cancel(run);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static @Nullable Cursor after(Call call, RunRecord run) {
        Optional<String> text = EventStream.cursor(call);
        if (text.isEmpty()) {
            return null;
        }
        try {
            Cursor cursor = Cursor.parse(text.get());
            if (cursor.root().equals(run.runId())) {
                return cursor;
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw Problem.BAD_CURSOR.of(
                "The cursor is not one of this run; send the id of an event of its stream, or none.");
    }

    private boolean hasMore(Call call, RunRecord run, Cursor after) {
        try (RunWatch watch = state.runtime(call.principal()).watch(run.runId(), after)) {
            Iterator<RunEvent> events = watch.iterator();
            while (events.hasNext()) {
                if (!(events.next() instanceof RunEvent.StreamResumed)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isReset(RunEvent event) {
        return event instanceof RunEvent.StreamResumed resumed && resumed.reset();
    }

    private Reply page(Call call, RunRecord run, @Nullable Cursor after, EventStream.Filter filter) {
        TenantRuntime runtime = state.runtime(call.principal());
        int limit = call.query("limit", 1, PAGE, 50);
        List<EventId> stored = runtime.history(run.runId()).stream()
                .map(event -> event.origin().id())
                .flatMap(Optional::stream)
                .toList();
        long left = stored.stream()
                .filter(id -> after == null || id.compareTo(after.id()) > 0)
                .count();
        List<Json> events = new ArrayList<>();
        Map<String, Object> fields = new LinkedHashMap<>();
        try (RunWatch watch = runtime.watch(run.runId(), after)) {
            Iterator<RunEvent> all = watch.iterator();
            if (after != null && all.hasNext() && isReset(all.next())) { // the first event of a watch that continues
                left = stored.size();
                fields.put("reset", true);
            }
            while (left > 0 && events.size() < limit && all.hasNext()) {
                RunEvent event = all.next();
                if (event.origin().id().isPresent()) {
                    left--;
                    Json json = EventStream.json(event);
                    if (filter.accepts(
                            event, json.at("/type").flatMap(Json::string).orElse(""))) {
                        events.add(json);
                    }
                }
            }
            fields.put("events", events);
            watch.cursor().ifPresent(cursor -> fields.put("next", cursor.toString()));
        }
        return Reply.ok(fields);
    }
}
