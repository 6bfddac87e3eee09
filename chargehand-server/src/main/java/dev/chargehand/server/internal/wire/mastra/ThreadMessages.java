package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadRuns;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadRuns.Place;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Says something of a user on a thread. The run that the agent executes there receives it; without one, a run is stored, which any process starts in
 * the turn of the thread. A request with a key always stores a run of its own, so that it can be repeated. Requests of one process to a thread are
 * answered one after the other, so that the second of two that come at once finds the run of the first; but only for a while, since an agent may
 * inspect a message for long before its run is stored. Thread-safe.
 */
final class ThreadMessages {

    private static final Set<String> USERS = Set.of("user", "user-message");
    private static final Set<String> TEXT = Set.of("text");

    /** How long a request waits for those before it; after that it may start a run of its own, as in another process. */
    private static final Duration TURN = Duration.ofSeconds(2);

    private final WireRuns runs;
    private final CallerThreads threads;
    private final ThreadRuns found;
    private final List<ReentrantLock> turns =
            IntStream.range(0, 64).mapToObj(i -> new ReentrantLock()).toList();

    ThreadMessages(WireRuns runs, CallerThreads threads, ThreadRuns found) {
        this.runs = runs;
        this.threads = threads;
        this.found = found;
    }

    /** Say it to the run that is executed, or start one. */
    Reply send(Call call) {
        Body body = Body.of(call.body());
        return say(call, body, message(body, "message"), false);
    }

    /** Start a run that follows those of the thread. */
    Reply queue(Call call) {
        Body body = Body.of(call.body());
        return say(call, body, message(body, "message"), true);
    }

    /** Say what a signal of a user has; others are of a system, which has no place in a conversation. */
    Reply signal(Call call) {
        Body body = Body.of(call.body());
        Body signal = body.object("signal").orElseThrow(() -> body.problem("signal", "is missing"));
        if (signal.text("type").filter(USERS::contains).isEmpty()) {
            throw signal.problem("type", "must be 'user': other signals are not offered");
        }
        return say(call, body, message(body, "signal"), false);
    }

    private Reply say(Call call, Body body, String text, boolean queues) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        requireBehavior(body, "ifActive", "deliver");
        requireBehavior(body, "ifIdle", "wake");
        Optional<RunRecord> named = body.id("runId").map(id -> runs.root(principal, id));
        if (named.filter(run -> !run.agentId().equals(agent.id())).isPresent()) {
            throw Problem.RUN_UNKNOWN.of("There is no run with this id.");
        }
        if (named.isPresent() && !queues) {
            return tell(principal, named.get(), text)
                    .orElseThrow(() -> Problem.ENDED.of("The run has ended and receives no messages."));
        }
        Place place = named.map(run -> placeOf(body, run)).orElseGet(() -> found.place(call, body));
        StartWish wish = wish(principal, agent, body, text).thread(Optional.of(place.threadId()));
        boolean isNow = !queues
                && wish.key().isEmpty()
                && call.header("idempotency-key").isEmpty();
        ReentrantLock turn = turns.get(Math.floorMod(place.threadId().hashCode(), turns.size()));
        boolean isIts = awaits(turn);
        try {
            Optional<Reply> told = isNow
                    ? found.active(call, place)
                            .filter(run -> receives(run, agent))
                            .flatMap(run -> tell(principal, run, text))
                    : Optional.empty();
            return told.orElseGet(
                    () -> start(call, place, wish.resource(place.resource()).background(true)));
        } finally {
            if (isIts) {
                turn.unlock();
            }
        }
    }

    private static boolean awaits(ReentrantLock turn) {
        try {
            return turn.tryLock(TURN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server is being stopped
            return false;
        }
    }

    private static Place placeOf(Body body, RunRecord run) {
        String thread = run.threadId().orElseThrow(() -> body.problem("runId", "must be that of a run with a thread"));
        return new Place(run.resourceId(), thread, thread);
    }

    private static boolean receives(RunRecord run, Agent agent) {
        return run.agentId().equals(agent.id())
                && run.summary().filter(it -> it.kind().equals("agent")).isPresent();
    }

    private Optional<Reply> tell(Principal principal, RunRecord run, String text) {
        return runs.runtime(principal).tell(run.runId(), text).map(id -> accepted(run.runId()));
    }

    private Reply start(Call call, Place place, StartWish wish) {
        RunId run = runs.start(call, wish).runId();
        threads.keep(call, place.resource(), place.clientId(), place.threadId(), change -> {});
        return accepted(run);
    }

    private static Reply accepted(RunId run) {
        return Reply.ok(Map.of("accepted", true, "runId", run.value()));
    }

    /** Return the run that is wanted, with the options for one that starts. */
    private StartWish wish(Principal principal, Agent agent, Body body, String text) {
        Map<String, Json> fields = new LinkedHashMap<>(body.object("ifIdle")
                .flatMap(idle -> idle.object("streamOptions").flatMap(options -> idle.json("streamOptions")))
                .map(Json::fields)
                .orElse(Map.of()));
        fields.remove("memory"); // the request itself names the thread
        fields.put("messages", Json.of(List.of(Map.of("role", "user", "content", text))));
        return StartBody.of(Json.of(fields)).wish(runs, principal, agent);
    }

    /** Return the text of a message: a text, a list of parts, or an object with one of them as its contents. */
    private static String message(Body body, String name) {
        Optional<Body> object = body.json(name).filter(Json::isObject).flatMap(json -> body.object(name));
        object.ifPresent(ThreadMessages::requirePlain);
        String text = object.map(message -> WireOptions.text(message, "contents", TEXT))
                .orElseGet(() -> WireOptions.text(body, name, TEXT));
        if (text.isBlank()) {
            throw body.problem(name, "must have a text");
        }
        return text;
    }

    private static void requireBehavior(Body body, String name, String offered) {
        body.object(name).ifPresent(when -> {
            requirePlain(when);
            if (when.text("behavior").filter(value -> !value.equals(offered)).isPresent()) {
                throw when.problem("behavior", "must be '" + offered + "': others are not offered");
            }
        });
    }

    /** Reject attributes: the model would not see them. */
    private static void requirePlain(Body message) {
        if (!message.object("attributes").map(Body::names).orElse(List.of()).isEmpty()) {
            throw message.problem("attributes", "must be empty: messages are plain texts");
        }
    }
}
