package dev.chargehand.server.internal.records;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.api.WaitingId;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The route that reports which calls start and cease to wait for an answer. It starts with those that wait, so a reader that comes back has
 * missed nothing that counts.
 */
final class ApprovalEvents {

    /** A store in use changes all the time, and most changes are of no call that waits. */
    private static final Duration BETWEEN_READS = Duration.ofMillis(500);

    private static final int PAGE = 200;

    private final ServerState state;

    ApprovalEvents(ServerState state) {
        this.state = state;
    }

    List<Route> routes() {
        Operation operation = Operation.NONE
                .query("resource", RunShapes.ID, "On whose behalf; default: the resource of the caller, or all.")
                .answer(
                        200,
                        new Operation.Answer(
                                "Events 'approval-waiting', with the waiting call, and 'approval-answered', with its id.",
                                Map.of("text/event-stream", Shape.TEXT),
                                Map.of()))
                .problems(Problem.TOO_MANY_STREAMS, Problem.DRAINING);
        return List.of(new Route(
                "GET",
                "/api/v1/approvals/events",
                Route.Access.of(Scope.APPROVALS_READ),
                "Read which calls wait for an answer, and when they cease to wait, as a stream",
                operation,
                this::read));
    }

    private Reply read(Call call) {
        Principal caller = call.principal();
        Optional<String> resource =
                Owners.resource(caller, call.query("resource").orElse(null));
        String place = "approvals of " + CallerLimits.key(caller);
        state.streams().reserve(call, place); // before the response starts
        Reply.Streamed stream = exchange -> write(exchange, call, place, resource);
        return stream;
    }

    private void write(Exchange exchange, Call call, String place, Optional<String> resource) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "text/event-stream");
        headers.put("Cache-Control", "no-store");
        headers.put("X-Accel-Buffering", "no");
        try (Streams.Open stream = state.streams().open(call, place);
                OutputStream out = exchange.stream(200, headers)) {
            write(stream, out, "retry: 1000\n\n");
            follow(
                    stream,
                    out,
                    state.runtime(call.principal()),
                    Owners.waiting(resource).limit(PAGE));
            if (stream.isEnded()) {
                write(stream, out, stream.lastFrame());
            }
        } catch (ChargehandException e) {
            // ends the stream; the reader comes back
        }
    }

    /** Read the calls after each change of the store, and with each heartbeat: an access check may decide otherwise as time passes. */
    private void follow(Streams.Open stream, OutputStream out, TenantRuntime runtime, WaitingFilter filter)
            throws IOException {
        long end = System.nanoTime() + state.limit(ServerTimeLimit.STREAM).toNanos();
        long heartbeat = state.limit(ServerTimeLimit.HEARTBEAT).toNanos();
        long written = System.nanoTime();
        long seen = 0;
        Map<String, RunId> before = Map.of();
        while (!stream.isEnded() && System.nanoTime() < end) {
            seen = state.awaitChange(seen, Duration.ofNanos(Math.min(written + heartbeat, end) - System.nanoTime()));
            if (Thread.interrupted()) {
                return; // the server is being stopped
            }
            Map<String, PendingApproval> now = read(runtime, filter);
            String news = news(before, now);
            boolean silent = System.nanoTime() - written >= heartbeat;
            if (!news.isEmpty() || silent) {
                write(stream, out, news.isEmpty() ? ": hb\n\n" : news);
                written = System.nanoTime();
            }
            before = rootRunIds(now);
            try {
                Thread.sleep(BETWEEN_READS);
            } catch (InterruptedException e) {
                return; // the server is being stopped
            }
        }
    }

    /** Return what a stream keeps of the calls: the root runs by the ids of the calls, and no arguments. */
    private static Map<String, RunId> rootRunIds(Map<String, PendingApproval> calls) {
        Map<String, RunId> ids = new LinkedHashMap<>();
        calls.forEach((id, call) -> ids.put(id, call.rootRunId()));
        return ids;
    }

    /** Read which calls wait, by their ids, the one that waits longest first. */
    private static Map<String, PendingApproval> read(TenantRuntime runtime, WaitingFilter filter) {
        Map<String, PendingApproval> byId = new LinkedHashMap<>();
        List<PendingApproval> page = runtime.pendingApprovals(filter);
        page.forEach(call -> byId.put(WaitingId.of(call).toString(), call));
        while (page.size() == PAGE) {
            page = runtime.pendingApprovals(filter.after(page.getLast()));
            page.forEach(call -> byId.put(WaitingId.of(call).toString(), call));
        }
        return byId;
    }

    private static String news(Map<String, RunId> before, Map<String, PendingApproval> now) {
        StringBuilder text = new StringBuilder();
        before.forEach((id, rootRunId) -> {
            if (!now.containsKey(id)) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("type", "approval-answered");
                fields.put("id", id);
                fields.put("rootRunId", rootRunId.value());
                text.append(frame("approval-answered", fields));
            }
        });
        now.forEach((id, call) -> {
            if (!before.containsKey(id)) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("type", "approval-waiting");
                fields.put("approval", Views.approval(call));
                text.append(frame("approval-waiting", fields));
            }
        });
        return text.toString();
    }

    /** Arguments may be on several lines as the model wrote them; data is on one. */
    private static String frame(String type, Map<String, Object> fields) {
        return "event: " + type + "\ndata: " + Json.of(fields).canonical().text() + "\n\n";
    }

    private static void write(Streams.Open stream, OutputStream out, String text) throws IOException {
        stream.startWrite();
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } finally {
            stream.endWrite();
        }
    }
}
