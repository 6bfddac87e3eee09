package dev.chargehand.server.internal.wire;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.RunKey;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Slots;
import dev.chargehand.server.internal.api.StartRoutes;
import dev.chargehand.server.internal.api.Streams;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What wires do with the runs of a caller, under the rules of the server's own API. Thread-safe. */
public final class WireRuns {

    private static final int KEY_LENGTH = 255;

    /** How many runs of an agent are looked at for the resources that its callers act for. */
    private static final int RECENT = 100;

    private final ServerState state;
    private final Owners owners;
    private final boolean resumable;

    /**
     * Make it.
     *
     * @param resumable whether a run continues if the client of its request goes
     */
    public WireRuns(ServerState state, boolean resumable) {
        this.state = state;
        this.resumable = resumable;
        this.owners = new Owners(state);
    }

    /** Return the state of the server. */
    public ServerState state() {
        return state;
    }

    /** Return the runtime of a caller's tenant. */
    public TenantRuntime runtime(Principal principal) {
        return state.runtime(principal);
    }

    /** Return an agent. */
    public Agent agent(Principal principal, String id) {
        return find(principal, id).orElseThrow(() -> Problem.AGENT_UNKNOWN.of("There is no agent with this id."));
    }

    /** Return an agent; empty if there is none. */
    public Optional<Agent> find(Principal principal, String id) {
        return runtime(principal).agents().stream()
                .filter(agent -> agent.id().equals(id))
                .findFirst();
    }

    /** Return the record of a root run. */
    public RunRecord root(Principal principal, String id) {
        RunRecord run = owners.run(principal, id);
        if (!run.isRoot()) {
            throw Problem.RUN_UNKNOWN.of("There is no run with this id.");
        }
        return run;
    }

    /** Return how the run of a request is streamed. */
    public WireStream.Plan plan(RunId root) {
        return new WireStream.Plan(root, !resumable, Map.of());
    }

    /** Return what finds the runs and threads of callers. */
    public Owners owners() {
        return owners;
    }

    /**
     * Return the thread that a client names.
     *
     * @param resource the resource that the client names; empty for that of the caller
     */
    public String thread(Principal principal, Optional<String> resource, String id) {
        return owners.thread(principal, Owners.resource(principal, resource.orElse(null)), id);
    }

    /** Take the place of a request that reads a run when a call of it was answered. */
    public void reserveReader(Call call, RunId root) {
        state.streams().reserve(call, root.value());
    }

    /** Start a run; the request reads it, unless it is one in the background that is not streamed. */
    public RunHandle start(Call call, StartWish wanted) {
        Principal principal = call.principal();
        TenantRuntime runtime = runtime(principal);
        Optional<String> resource = Owners.resource(principal, wanted.resource().orElse(null));
        Optional<String> key = wanted.key()
                .map(text -> wanted.keyPlace()
                        .map(place -> RunKey.of(call, principal.resourceId(), place, text))
                        .orElseGet(() -> RunKey.of(call, resource, text)))
                .or(() -> RunKey.of(call, resource));
        Optional<String> thread = wanted.thread()
                .or(() -> Optional.of(key.orElseGet(() -> UUID.randomUUID().toString()))
                        .filter(id -> wanted.hasThread() || resource.isPresent())
                        .map(id -> Owners.mapped(principal, resource, "run of " + wanted.form() + " " + id)));
        Consumer<RunOptions.Builder> options = builder -> {
            wanted.options().accept(builder);
            thread.ifPresent(builder::thread);
            thread.flatMap(id -> resource).ifPresent(builder::resource);
            key.ifPresent(builder::idempotencyKey);
            builder.requester(principal.id());
        };
        Slots.Start start = new Slots.Start(
                () -> runtime.findStarted(wanted.agent(), options),
                () -> runtime.start(wanted.agent(), wanted.input(), options),
                () -> runtime.enqueue(wanted.agent(), wanted.input(), options),
                wanted.isRead());
        return wanted.isBackground()
                ? state.slots().submit(call, start)
                : state.slots().start(call, start);
    }

    /** Return the run that an earlier request with the key of this one has started. */
    public Optional<RunId> repeated(Call call, StartWish wanted) {
        Principal principal = call.principal();
        Optional<String> resource = Owners.resource(principal, wanted.resource().orElse(null));
        return RunKey.of(call, resource)
                .flatMap(key -> keyed(runtime(principal), wanted.agent(), principal, resource, key));
    }

    /**
     * Return the id of the run that the caller has started under an id of its own, as {@link StartWish#key(String, String)}; else that id. A
     * caller that acts for any resource does not say for which it was: those of the newest runs of the agent are tried.
     */
    public String idOf(Call call, Agent agent, String place, String id) {
        if (id.length() > KEY_LENGTH || !id.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            return id; // no key
        }
        Principal principal = call.principal();
        TenantRuntime runtime = runtime(principal);
        String key = RunKey.of(call, principal.resourceId(), place, id);
        Stream<Optional<String>> others = principal.actsForAnyResource()
                ? runtime.runs(RunFilter.ROOTS.agent(agent.id()).limit(RECENT)).stream()
                        .map(RunRecord::resourceId)
                : Stream.empty();
        return Stream.concat(Stream.of(Owners.resource(principal, null)), others)
                .distinct()
                .flatMap(resource -> Stream.of(agent, StartRoutes.network(agent))
                        .flatMap(form -> keyed(runtime, form, principal, resource, key).stream()))
                .map(RunId::value)
                .findFirst()
                .orElse(id);
    }

    private static Optional<RunId> keyed(
            TenantRuntime runtime, Agent agent, Principal principal, Optional<String> resource, String key) {
        return runtime.findStarted(agent, options -> {
            options.idempotencyKey(key).requester(principal.id());
            resource.ifPresent(options::resource);
        });
    }

    /**
     * What is stored of a root run.
     *
     * @param run how it stood when the events were read
     */
    public record Stored(RunRecord run, List<RunEvent> events) {}

    /** Return the events of a root run with a record that fits: the run may have started or ceased to wait since its record was read. */
    public Stored stored(Principal principal, RunRecord run) {
        TenantRuntime runtime = runtime(principal);
        RunRecord before = run;
        while (true) {
            List<RunEvent> events = runtime.history(run.runId());
            RunRecord after = runtime.findRun(run.runId()).orElse(before);
            boolean fits = after.status() == before.status()
                    && (after.status() != RunStatus.SUSPENDED || after.length() == before.length());
            if (fits) {
                return new Stored(after, events);
            }
            before = after;
        }
    }

    /** Return how often a root run has waited for answers and has continued. */
    public int suspensions(Principal principal, RunRecord run) {
        Stored stored = stored(principal, run);
        long all = stored.events().stream()
                .filter(event ->
                        event instanceof RunEvent.RunSuspend && event.runId().equals(run.runId()))
                .count();
        return (int) (stored.run().status() == RunStatus.SUSPENDED && all > 0 ? all - 1 : all);
    }

    /** Encode the events of a run until the encoder is done, for an answer that is sent as a whole. */
    public void encode(Call call, RunId root, Encoder encoder) {
        try (Streams.Open open = state.streams().open(call, root.value());
                RunWatch watch = state.watch(call, root)) {
            Iterator<RunEvent> events = watch.iterator();
            while (!encoder.isDone() && !open.isStopped() && events.hasNext()) {
                var unused = encoder.encode(events.next());
            }
        } catch (StoreException e) {
            // the run continues without this request
        }
        var unused = Thread.interrupted(); // the server is being stopped; the answer can still be sent
        if (!encoder.isDone()) {
            throw Outcome.released(root);
        }
    }
}
