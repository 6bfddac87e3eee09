package dev.chargehand.server.internal.records;

import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.EventStream;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The route that reads the events of a conversation: of all its runs, as they start, and of the tasks whose results it receives. */
final class ThreadEvents {

    private final ServerState state;
    private final Owners owners;

    ThreadEvents(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/api/v1/threads/{id}/events",
                Route.Access.of(Scope.THREADS_READ),
                "Read the events of all runs of a thread, past and future, as a stream",
                EventStream.selected(Operation.NONE)
                        .query("resource", RunShapes.ID, "The owner; default: the resource of the caller.")
                        .query("from", Shape.TEXT, "A cursor: continue after it.")
                        .header("Last-Event-ID", Shape.TEXT, "A cursor: continue after it.")
                        .answer(
                                200,
                                new Operation.Answer(
                                        "The events; those of a run precede those of a run that started after its end.",
                                        Map.of("text/event-stream", Shape.TEXT),
                                        Map.of()))
                        .problems(
                                Problem.THREAD_UNKNOWN,
                                Problem.NOT_AVAILABLE,
                                Problem.BAD_CURSOR,
                                Problem.TOO_MANY_STREAMS,
                                Problem.DRAINING),
                this::read));
    }

    private Reply read(Call call) {
        Optional<String> resource =
                Owners.resource(call.principal(), call.query("resource").orElse(null));
        String id = owners.thread(call.principal(), resource, call.parameter("id"));
        TenantRuntime runtime = state.runtime(call.principal());
        ThreadRecord thread = runtime.threads().find(Owners.owner(resource), id).orElseThrow(ThreadRoutes::unknown);
        RunsCursor after = after(call);
        open(runtime, thread, after).close(); // before the response starts
        return new EventStream(
                        state,
                        call,
                        "thread " + thread.threadId() + " of tenant "
                                + call.principal().tenantId(),
                        new EventStream.Wish(EventStream.Filter.of(call), event -> false, () -> {}, Map.of()),
                        () -> EventStream.Watch.of(open(runtime, thread, after)))
                .checked();
    }

    private static @Nullable RunsCursor after(Call call) {
        Optional<String> text = EventStream.cursor(call);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return RunsCursor.parse(text.get());
        } catch (IllegalArgumentException e) {
            throw badCursor();
        }
    }

    private static RunsWatch open(TenantRuntime runtime, ThreadRecord thread, @Nullable RunsCursor after) {
        try {
            return runtime.watchThread(thread.owner(), thread.threadId(), after);
        } catch (ThreadOwnershipException e) {
            throw ThreadRoutes.unknown();
        } catch (ConfigurationException e) {
            throw Problem.NOT_AVAILABLE.of(
                    "The store of the server forgets runs that have ended, so the events of a thread cannot be read."
                            + " Read those of a run at /api/v1/runs/{id}/events.");
        } catch (IllegalArgumentException e) {
            throw badCursor();
        }
    }

    private static RuntimeException badCursor() {
        return Problem.BAD_CURSOR.of(
                "The cursor is not one of this thread; send the id of an event of its stream, or none.");
    }
}
