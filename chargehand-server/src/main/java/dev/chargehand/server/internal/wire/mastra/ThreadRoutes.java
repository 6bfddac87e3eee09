package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.ExternalCalls;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadApprovals;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadEncoder;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadRuns;
import dev.chargehand.server.internal.wire.mastra.thread.ThreadStream;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The routes of a client that follows a thread: it subscribes to it once, and what it sends has no stream of its own. */
final class ThreadRoutes {

    private final WireRuns runs;
    private final ThreadRuns found;
    private final ThreadMessages messages;
    private final ThreadApprovals approvals;

    ThreadRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.found = new ThreadRuns(runs, threads);
        this.messages = new ThreadMessages(runs, threads, found);
        this.approvals = new ThreadApprovals(runs, found);
    }

    List<Route> routes() {
        return List.of(
                route("threads/subscribe", Scope.THREADS_READ, "Stream the runs of a thread", this::subscribe),
                route("threads/abort", Scope.RUNS_WRITE, "Cancel the run of a thread", this::abort),
                route("send-message", Scope.RUNS_WRITE, "Say something on a thread now", messages::send),
                route("queue-message", Scope.RUNS_WRITE, "Say something on a thread next", messages::queue),
                route("signals", Scope.RUNS_WRITE, "Say something of a user on a thread", messages::signal),
                route("send-tool-approval", Scope.RUNS_WRITE, "Answer a call of a thread", approvals::answer));
    }

    private static Route route(String name, Scope scope, String summary, Route.Handler handler) {
        return new Route(
                "POST", "/api/agents/{id}/" + name, Route.Access.of(scope), summary + ", for Mastra's client", handler);
    }

    private Reply subscribe(Call call) {
        Principal principal = call.principal();
        if (!principal.has(Scope.RUNS_READ)) {
            throw Problem.lacks(Scope.RUNS_READ);
        }
        var unused = runs.agent(principal, call.parameter("id"));
        ThreadRuns.Place place = found.place(call, Body.of(call.body()));
        TenantRuntime runtime = runs.runtime(principal);
        ThreadOwner owner = Owners.owner(place.resource());
        String stands = "thread " + place.threadId() + " of tenant " + principal.tenantId();
        Set<String> executed = executed(call, place); // by the thread of the caller, who may open the runs
        ThreadStream stream = new ThreadStream(
                runs.state(),
                call,
                stands,
                () -> open(runtime, owner, place.threadId()),
                new ThreadEncoder((run, network) -> encoder(runtime, run, network, executed)));
        open(runtime, owner, place.threadId()).close(); // before the response starts
        return stream;
    }

    private static RunsWatch open(TenantRuntime runtime, ThreadOwner owner, String threadId) {
        try {
            return runtime.followThread(owner, threadId);
        } catch (ConfigurationException e) {
            throw Problem.NOT_AVAILABLE.of("The store of the server forgets runs that have ended, so the runs of a"
                    + " thread cannot be streamed. Stream each run.");
        }
    }

    /** Return the calls that clients have executed in the runs that are read from their start. */
    private Set<String> executed(Call call, ThreadRuns.Place place) {
        TenantRuntime runtime = runs.runtime(call.principal());
        return found.open(call, place).stream()
                .flatMap(run -> ExternalCalls.executed(runtime.history(run.runId())).stream())
                .collect(Collectors.toSet());
    }

    private static Encoder encoder(TenantRuntime runtime, RunId run, boolean isNetwork, Set<String> executed) {
        return isNetwork
                ? NetworkEncoder.observing(
                        run, runtime.findRun(run).map(RunRoutes::task).orElse(""), MastraEncoder.ALL_WAITS, 0)
                : MastraEncoder.inThread(run, executed);
    }

    private Reply abort(Call call) {
        Principal principal = call.principal();
        var unused = runs.agent(principal, call.parameter("id"));
        Body body = Body.of(call.body());
        Optional<String> expected = body.id("expectedRunId");
        Optional<RunRecord> run = found.active(call, found.place(call, body))
                .filter(active -> expected.isEmpty()
                        || expected.get().equals(active.runId().value()));
        boolean aborted = run.filter(active -> runs.runtime(principal).cancel(active.runId()))
                .isPresent();
        return Reply.ok(Map.of("aborted", aborted));
    }
}
