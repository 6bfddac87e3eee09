package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The routes that start runs. */
final class StartRoutes {

    private static final int WAIT_SECONDS = 60;

    private final ServerState state;
    private final Owners owners;
    private final EventRoutes events;

    StartRoutes(ServerState state, Owners owners, EventRoutes events) {
        this.state = state;
        this.owners = owners;
        this.events = events;
    }

    List<Route> routes() {
        return List.of(new Route(
                "POST",
                "/api/v1/agents/{id}/runs",
                Route.Access.of(Scope.RUNS_WRITE),
                "Start a run of an agent",
                this::start));
    }

    private Reply start(Call call) {
        state.requireStarts();
        TenantRuntime runtime = state.runtime(call.principal());
        Agent agent = AgentRoutes.require(runtime, call.parameter("id"));
        StartRequest request = new StartRequest(agent, call.body(), state.contextKeys());
        List<Message> input = request.input();
        RunHandle handle = start(runtime, call.principal().tenantId(), agent, input, options(call, request));
        if (call.wantsStream()) {
            return events.stream(call, handle.runId(), null);
        }
        return call.wait(WAIT_SECONDS)
                .flatMap(limit -> result(handle, limit))
                .map(result -> Reply.of(200, Views.result(result), location(handle)))
                .orElseGet(() -> accepted(handle));
    }

    /** Start a run here, or store it for a process that has a place for it. */
    private RunHandle start(
            TenantRuntime runtime,
            String tenantId,
            Agent agent,
            List<Message> input,
            Consumer<RunOptions.Builder> options) {
        Slots slots = state.slots();
        if (!slots.take(tenantId)) {
            return runtime.handle(runtime.submit(agent, input, options));
        }
        try {
            RunHandle handle = runtime.start(agent, input, options);
            slots.freeAfter(handle, tenantId);
            return handle;
        } catch (RuntimeException e) {
            slots.free(tenantId);
            throw e;
        }
    }

    private Consumer<RunOptions.Builder> options(Call call, StartRequest request) {
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, request.resource().orElse(null));
        Optional<String> key = call.header("idempotency-key").map(text -> key(call, resource, text));
        Optional<String> thread = request.thread()
                .map(id -> owners.thread(principal, resource, id))
                .or(() -> resource.map(owner -> minted(principal, owner, key)));
        Consumer<RunOptions.Builder> own = request.options();
        return options -> {
            own.accept(options);
            thread.ifPresent(options::thread);
            thread.flatMap(id -> resource).ifPresent(options::resource);
            key.ifPresent(options::idempotencyKey);
            options.requester(principal.id());
        };
    }

    /** Return a thread for a run whose caller names none, so that the run belongs to the resource. */
    private static String minted(Principal principal, String resource, Optional<String> key) {
        String id = key.orElseGet(() -> java.util.UUID.randomUUID().toString());
        return Owners.mapped(principal, Optional.of(resource), "run of " + id);
    }

    /** Return the key of the store, which another caller or route with the same text does not have. */
    private static String key(Call call, Optional<String> resource, String text) {
        if (text.length() > 255 || !text.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw Problem.BAD_REQUEST.of(
                    "The header 'Idempotency-Key' must have 1 to 255 visible characters of ASCII.");
        }
        Principal principal = call.principal();
        return "http-"
                + Owners.digest(
                        principal.tenantId(),
                        resource.orElse(""),
                        principal.id(),
                        call.route().method() + " " + call.route().template(),
                        call.parameter("id"),
                        text);
    }

    /** Return the result of a run; empty if it has none in time, or waits for answers. */
    static Optional<RunResult> result(RunHandle handle, Duration limit) {
        CompletableFuture<RunResult> result = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().name("chargehand-server-result").start(() -> {
            try {
                result.complete(handle.result());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return Optional.of(result.get(limit.toMillis(), TimeUnit.MILLISECONDS))
                    .filter(it -> it.status().isEnded());
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            waiting.interrupt();
        }
    }

    private static Reply accepted(RunHandle handle) {
        Map<String, Object> fields = new LinkedHashMap<>();
        RunStatus status = handle.status();
        fields.put("runId", handle.runId().value());
        fields.put("status", Views.status(status));
        if (status == RunStatus.SUSPENDED) {
            fields.put("pending", Views.approvals(handle.pendingApprovals()));
        }
        return Reply.of(202, fields, location(handle));
    }

    private static Map<String, String> location(RunHandle handle) {
        return Map.of("Location", "/api/v1/runs/" + handle.runId());
    }
}
