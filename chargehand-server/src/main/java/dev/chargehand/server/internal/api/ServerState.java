package dev.chargehand.server.internal.api;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.server.internal.limit.Results;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReadRun;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What all routes of a server share. Thread-safe. */
public final class ServerState {

    private final AgentRuntime runtime;
    private final Map<ServerLimit, Long> limits;
    private final Map<ServerTimeLimit, Duration> timeLimits;
    private final CallerChoices choices;
    private final Consumer<RunOptions.Builder> workflowOptions;
    private final Streams streams;
    private final Slots slots;
    private final Results results = new Results();
    private final CallerLimits callers;
    private volatile boolean draining;

    /**
     * What callers may choose for the runs that they start.
     *
     * @param contextKeys the names of values of the request context that they may set
     * @param versionsOf the ids of the agents of which they may select versions
     * @param models the names of the models with which they may continue a run by a fork
     */
    public record CallerChoices(Set<String> contextKeys, Set<String> versionsOf, Set<String> models) {

        /** Callers may choose nothing. */
        public static final CallerChoices NONE = new CallerChoices(Set.of(), Set.of(), Set.of());

        /** Copies the sets. */
        public CallerChoices {
            contextKeys = Set.copyOf(contextKeys);
            versionsOf = Set.copyOf(versionsOf);
            models = Set.copyOf(models);
        }
    }

    /**
     * Make it.
     *
     * @param choices what callers may choose for their runs
     * @param workflowOptions set the options of the runs of workflows
     */
    public ServerState(
            AgentRuntime runtime,
            Map<ServerLimit, Long> limits,
            Map<ServerTimeLimit, Duration> timeLimits,
            CallerChoices choices,
            Consumer<RunOptions.Builder> workflowOptions) {
        this.runtime = runtime;
        this.limits = new EnumMap<>(ServerLimit.class);
        this.limits.putAll(limits);
        this.timeLimits = new EnumMap<>(ServerTimeLimit.class);
        this.timeLimits.putAll(timeLimits);
        this.choices = choices;
        this.workflowOptions = workflowOptions;
        this.streams = new Streams(this);
        this.slots = new Slots(this);
        this.callers = new CallerLimits(this::limit, TimeMeter.SYSTEM_NANOTIME);
    }

    /** Return the runtime of a caller's tenant. */
    public TenantRuntime runtime(Principal principal) {
        return runtime.forTenant(principal.tenantId());
    }

    /** Return a reader of the events of a run, which a request may have started or continued, from the first event on. The caller closes it. */
    public RunWatch watch(Call call, RunId run) {
        return ReadRun.events(call, run)
                .orElseGet(() -> runtime(call.principal()).watch(run, null));
    }

    /**
     * Wait until something may have changed in the store, of any tenant; see {@link dev.chargehand.store.Store#awaitChange}, which explains the
     * numbers.
     */
    public long awaitChange(long seen, Duration atMost) {
        return runtime.store().awaitChange(seen, atMost);
    }

    /** Return how many calls of this process were given up and have not returned yet. */
    public int abandonedCalls() {
        return runtime.abandonedCalls().size();
    }

    /** Return the value of a limit. */
    public long limit(ServerLimit limit) {
        return limits.getOrDefault(limit, limit.byDefault());
    }

    /** Return the value of a limit of time. */
    public Duration limit(ServerTimeLimit limit) {
        return timeLimits.getOrDefault(limit, limit.byDefault());
    }

    /** Return what callers may choose for their runs. */
    public CallerChoices choices() {
        return choices;
    }

    /** Return what sets the options of the runs of workflows. */
    public Consumer<RunOptions.Builder> workflowOptions() {
        return workflowOptions;
    }

    /** Return how many runs may be started. */
    public Slots slots() {
        return slots;
    }

    /** Return what bounds the requests of each caller. */
    public CallerLimits callers() {
        return callers;
    }

    /** Return the open streams. */
    public Streams streams() {
        return streams;
    }

    /** Return the requests that wait for results. */
    Results results() {
        return results;
    }

    /**
     * Start nothing any more, answer the requests that wait for a result, and end the streams; they have a part of the time that requests in
     * progress have.
     */
    public void drain() {
        draining = true;
        results.stop();
        streams.end(limit(ServerTimeLimit.DRAIN).dividedBy(2));
    }

    /** Return whether the server is being stopped, or its runtime was closed. */
    public boolean isDraining() {
        return draining || runtime.isClosed();
    }

    /** Reject a start while the server is being stopped, or after its runtime was closed. */
    public void requireStarts() {
        if (isDraining()) {
            throw Problem.DRAINING.of("The server is being stopped. Send the request again, to another process.");
        }
    }
}
