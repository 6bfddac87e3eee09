package dev.chargehand.internal.engine.resume;

import dev.chargehand.Until;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.ClaimedRunStarter;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.StoredDefinitions;
import dev.chargehand.internal.engine.UnstoredOptions;
import dev.chargehand.internal.engine.lease.WakeAttempts;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Claims stored root runs of a tenant for this runtime and resumes them. The first to claim a run executes it; nothing else can
 * write to it then. Thread-safe.
 */
public final class RunClaims {

    private static final Log LOG = Log.of(RunClaims.class);

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final ClaimedRunStarter starter;

    /** The runs that a caller here works on, of all tenants. */
    private final Set<RunId> taken;

    /** The runs that callers have options for, of all tenants; their ids come from callers. */
    private final Map<Reserved, Integer> reserved;

    private final WakeAttempts attempts;
    private final StoredDefinitions definitions;

    private record Reserved(String tenantId, RunId runId) {}

    /** Make it for the first tenant of a runtime. */
    public RunClaims(Engine engine) {
        this(
                engine,
                ConcurrentHashMap.newKeySet(),
                new ConcurrentHashMap<>(),
                new WakeAttempts(engine.environment().time()));
    }

    private RunClaims(Engine engine, Set<RunId> taken, Map<Reserved, Integer> reserved, WakeAttempts attempts) {
        this.attempts = attempts;
        this.environment = engine.environment();
        this.engine = engine;
        this.starter = new ClaimedRunStarter(environment, engine);
        this.definitions = new StoredDefinitions(engine);
        this.taken = taken;
        this.reserved = reserved;
    }

    /** Return that of a tenant of the same runtime. */
    RunClaims forTenant(String tenantId) {
        return tenantId.equals(environment.tenantId())
                ? this
                : new RunClaims(engine.forTenant(tenantId), taken, reserved, attempts);
    }

    /** Return the times of the attempts to wake runs. */
    WakeAttempts attempts() {
        return attempts;
    }

    Engine engine() {
        return engine;
    }

    /**
     * Resume a run as it was seen; it waits for its thread if another run has that.
     *
     * @param changes changes the options that hold without the caller's
     * @return nothing if it is executed or claimed by another process, or by another caller here
     * @throws ThreadBusyException if it is pending, and another run has its thread
     */
    Optional<LocalRun> resume(RunRecord seen, UnaryOperator<OptionValues> changes) {
        return resume(seen, changes, true);
    }

    /** Do the same if its thread is free; else nothing is returned. */
    Optional<LocalRun> resumeIfFree(RunRecord seen, UnaryOperator<OptionValues> changes) {
        try {
            return resume(seen, changes, false);
        } catch (ThreadBusyException e) {
            return Optional.empty();
        }
    }

    private Optional<LocalRun> resume(RunRecord seen, UnaryOperator<OptionValues> changes, boolean waits) {
        environment.ownership().startHeartbeat();
        return requireIfAsSeen(seen, changes)
                .flatMap(given -> alone(
                        seen.runId(),
                        () -> claimed(
                                seen,
                                () -> environment.ownership().claimIfFree(seen),
                                given,
                                waits,
                                ClaimedRunStarter.NEVER)));
    }

    /**
     * Resume a run as it was seen, up to a safe point; returns nothing if another works on it.
     *
     * @throws ThreadBusyException if another run has its thread
     */
    Optional<LocalRun> advance(RunRecord seen, Until until) {
        environment.ownership().startHeartbeat();
        return requireIfAsSeen(seen, options -> options)
                .flatMap(given -> alone(
                        seen.runId(),
                        () -> claimed(seen, () -> environment.ownership().claimIfFree(seen), given, false, until)));
    }

    /**
     * Resume a run as it was seen, for a wake-up; returns nothing if another works on it.
     *
     * @param given what {@link #given} found
     * @throws ThreadBusyException if another run has its thread
     */
    Optional<LocalRun> wake(RunRecord seen, Given given) {
        environment.ownership().startHeartbeat();
        Instant next = attempts.next(seen);
        return alone(
                seen.runId(),
                () -> claimed(
                        seen,
                        () -> environment.ownership().claimToWake(seen, next),
                        given,
                        false,
                        ClaimedRunStarter.NEVER));
    }

    /** Return whether no living process executes a run, so that it can be claimed. */
    boolean isFree(RunRecord run) {
        return !engine.isAtWork(run.runId())
                && (run.status() == RunStatus.SUSPENDED
                        || environment.ownership().isFree(run));
    }

    /** Return whether no living process executes another run on the thread of a run. */
    boolean hasFreeThread(RunRecord run) {
        return run.threadId().stream()
                .flatMap(thread ->
                        environment.store().list(RunFilter.ROOTS.thread(thread).statuses(RunStatus.RUNNING)).stream())
                .allMatch(other -> other.runId().equals(run.runId())
                        || (!engine.isAtWork(other.runId())
                                && environment.ownership().isFree(other)));
    }

    /**
     * Have a run that is live here read what has been delivered to it. One that lets go of itself at this moment cannot: it is resumed then.
     *
     * @param resumption resumes it if there is something for it to read
     */
    void deliverTo(LocalRun live, Supplier<Optional<LocalRun>> resumption) {
        Reservation reservation = reserve(live.runId());
        live.whenOver(() -> {
            try (reservation) {
                if (live.isSuspended() && engine.isOpen()) {
                    Optional<LocalRun> ignored = resumption.get();
                }
            } catch (RuntimeException e) {
                LOG.warn(
                        "run {}: it could not be resumed when it had let go of itself: {}",
                        live.runId(),
                        e.getMessage());
            }
        });
        live.inbox().refresh();
    }

    /** Keep wake-ups from a run for which the caller has options, until what is returned is closed. */
    Reservation reserve(RunId runId) {
        Reserved run = new Reserved(environment.tenantId(), runId);
        reserved.merge(run, 1, Integer::sum);
        return () -> reserved.computeIfPresent(run, (id, count) -> count == 1 ? null : count - 1);
    }

    boolean isReserved(RunId runId) {
        return reserved.containsKey(new Reserved(environment.tenantId(), runId));
    }

    /** Ends a reservation. */
    @FunctionalInterface
    interface Reservation extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Return what a run is resumed with.
     *
     * @throws dev.chargehand.error.ChargehandException if its definition is not here, or has changed
     * @throws dev.chargehand.error.ConfigurationException if hooks are missing that it was started with
     */
    Given require(RunRecord seen, UnaryOperator<OptionValues> changes) {
        return switch (definitions.find(seen)) {
            case StoredDefinitions.Missing missing -> throw missing.error();
            case StoredDefinitions.Here here -> {
                Given given = given(seen, here, changes);
                if (!given.missing().isEmpty()) {
                    throw UnstoredOptions.refusal(
                            seen.runId().value(),
                            given.missing(),
                            "Give them again to the call that takes it up, in a program that has them.");
                }
                yield given;
            }
        };
    }

    /**
     * Do the same; nothing is returned if it cannot be resumed here but another process has worked on it since it was seen, which may
     * have reached what this process cannot continue.
     */
    Optional<Given> requireIfAsSeen(RunRecord seen, UnaryOperator<OptionValues> changes) {
        try {
            return Optional.of(require(seen, changes));
        } catch (ChargehandException e) {
            if (isAsSeen(seen)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private boolean isAsSeen(RunRecord seen) {
        return environment
                .store()
                .find(seen.runId())
                .filter(now -> now.epoch() == seen.epoch() && now.status() == seen.status())
                .isPresent();
    }

    /** Find with what a run continues here. */
    StoredDefinitions.Found find(RunRecord run) {
        return definitions.find(run);
    }

    /** Return what a run is resumed with, without options of the caller. */
    Given given(RunRecord run, StoredDefinitions.Here here) {
        return given(run, here, options -> options);
    }

    /**
     * Work on a run that is not live here, with one worker at a time.
     *
     * @return nothing if it is live here or another works on it, or if another process has written to it
     */
    <T> Optional<T> alone(RunId runId, Supplier<Optional<T>> work) {
        if (!taken.add(runId)) {
            return Optional.empty();
        }
        try {
            return engine.isAtWork(runId) ? Optional.empty() : work.get();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                return Optional.empty();
            }
            throw e;
        } finally {
            taken.remove(runId);
        }
    }

    /** Claim a run and resume it; a runtime that is closed meanwhile releases what it has claimed before it closes its store. */
    private Optional<LocalRun> claimed(
            RunRecord seen, Supplier<Optional<RunRecord>> claim, Given given, boolean waits, Until until) {
        return starter.starting(seen.runId(), () -> claimedNow(seen, claim, given, waits, until));
    }

    private Optional<LocalRun> claimedNow(
            RunRecord seen, Supplier<Optional<RunRecord>> claim, Given given, boolean waits, Until until) {
        boolean givenUp = engine.releases().forget(seen.runId());
        Optional<LocalRun> resumed =
                with(seen, claim, own -> starter.resume(given.definition(), own, given.options(), waits, until));
        if (resumed.isPresent()) {
            engine.noteTaken(seen);
        } else {
            environment.ownership().leave(seen.runId());
        }
        if (resumed.isEmpty() && givenUp) {
            engine.releases().addIfOwned(seen.runId());
        }
        return resumed;
    }

    /**
     * Claim a run that a process executes or has left, and end it; if that fails, it is released. A close of the runtime waits for
     * that.
     *
     * @throws StoreException {@code FENCED} if it is not as it was seen
     */
    void claimedToEnd(RunRecord seen, Consumer<RunRecord> end) {
        Supplier<Optional<RunRecord>> claim = () -> Optional.of(environment
                .store()
                .claim(seen.runId(), seen.epoch(), seen.length(), environment.ownerOf(seen.runId())));
        starter.starting(
                seen.runId(),
                () -> with(seen, claim, own -> {
                    end.accept(own);
                    return own;
                }));
    }

    /** Claim a run and work on it; a run on which the work fails is released. */
    private <T> Optional<T> with(RunRecord seen, Supplier<Optional<RunRecord>> claim, Function<RunRecord, T> work) {
        Optional<RunRecord> claimed = Optional.empty();
        try {
            claimed = claim.get();
            return claimed.map(work);
        } catch (StoreException e) {
            if (Outage.isCause(e) || (claimed.isEmpty() && e.kind() == StoreException.Kind.UNUSABLE)) {
                engine.releases().addIfOwned(seen.runId()); // it may be claimed, and nobody advances it
            } else {
                giveBack(seen, claimed);
            }
            throw e;
        } catch (RuntimeException | Error e) {
            giveBack(seen, claimed);
            throw e;
        }
    }

    /** A run that counts as executed by this process, but is not, would wait for the end of the process. */
    private void giveBack(RunRecord seen, Optional<RunRecord> claimed) {
        claimed.filter(run -> run.status() == RunStatus.RUNNING).ifPresent(run -> {
            try {
                environment.store().release(run.runId(), run.epoch());
            } catch (StoreException e) {
                engine.releases().addIfOwned(run.runId());
            }
        });
        environment.ownership().leave(seen.runId());
    }

    /** What a run is resumed with, and the hooks and values that it was started with and that are not here. */
    record Given(RunDefinition definition, OptionValues options, List<String> missing) {}

    /** What is stored with the run is over what its agent starts with, and below what is given now. */
    private Given given(RunRecord run, StoredDefinitions.Here here, UnaryOperator<OptionValues> changes) {
        RunDefinition definition = here.definition();
        OptionValues base = engine.optionsFor(definition, run.runId());
        RequestContext stored = RequestContext.restore(here.started().requestContext());
        OptionValues options = changes.apply(base.plus(Options.REQUEST_CONTEXT, stored));
        return new Given(
                definition,
                options,
                UnstoredOptions.missing(here.started().hooks(), options, definition.defaultOptions()));
    }
}
