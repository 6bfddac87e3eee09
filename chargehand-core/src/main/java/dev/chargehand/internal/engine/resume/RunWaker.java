package dev.chargehand.internal.engine.resume;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.StoredDefinitions;
import dev.chargehand.internal.engine.lease.ExpiredWaits;
import dev.chargehand.internal.engine.lease.FailedWakes;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.lease.WakeAttempts;
import dev.chargehand.internal.engine.threads.DueMemory;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Does what is due in the store: has live trees read their deliveries, ends waits whose time is over, and resumes runs.
 * A look is made by one thread at a time.
 */
public final class RunWaker {

    private static final Log LOG = Log.of(RunWaker.class);

    /** How many runs a look finds at most; the next look continues after them. */
    private static final int PAGE = 100;

    /** How many runs are remembered that cannot be resumed here. */
    private static final int MOST_LEFT_ALONE = 10_000;

    /** When a run is looked at again that could not be resumed for a reason that may pass. */
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final RuntimeEnvironment environment;
    private final Ownership ownership;
    private final Engine engine;
    private final RunClaims claims;
    private final DueRuns.Scope scope;
    private final Semaphore places;
    private final Set<RunId> waking = ConcurrentHashMap.newKeySet();
    private final DueMemory memory;
    private final FailedWakes failed = new FailedWakes();
    private volatile Runnable begin = () -> {};
    private DueRuns.Turns turns = DueRuns.Turns.FIRST;

    /** The runs that cannot be resumed here: they are looked at again when they or the definitions have changed, or later. */
    private final Map<RunId, Left> leftAlone = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, Left> eldest) {
            return size() > MOST_LEFT_ALONE;
        }
    };

    private record Left(long length, int additions, Instant until) {}

    /**
     * Make it for a runtime.
     *
     * @param scope which runs it resumes
     * @param concurrency how many of them are executed at once
     */
    private RunWaker(Engine engine, RunClaims claims, DueRuns.Scope scope, int concurrency) {
        this.environment = engine.environment();
        this.ownership = environment.ownership();
        this.engine = engine;
        this.claims = claims;
        this.scope = scope;
        this.memory = new DueMemory(engine);
        this.places = new Semaphore(concurrency);
    }

    /**
     * Make the thread that looks for a runtime; it looks when it is needed.
     *
     * @param claims those of any tenant
     */
    public static InboxWatch watch(RunClaims claims, DueRuns.Scope scope, int concurrency) {
        Engine engine = claims.engine();
        RunWaker waker = new RunWaker(engine, claims, scope, concurrency);
        InboxWatch watch = new InboxWatch(engine.store(), waker::isNeeded, waker::look);
        waker.begin = watch::begin;
        engine.whenActive(watch::begin);
        if (waker.isNeeded()) {
            watch.begin();
        }
        return watch;
    }

    /** Return whether there may be something to do for this runtime, now or later. */
    private boolean isNeeded() {
        boolean works = engine.executesRuns() || engine.startsRuns() || !failed.isEmpty();
        return switch (scope) {
            case NONE -> works;
            case OWN -> works || engine.waitsForRuns();
            case ALL -> true;
        };
    }

    /** Read what is due, and do it. */
    private void look() {
        Instant now = environment.time().now();
        DueRuns.Scope read = looksAmongAll() ? DueRuns.Scope.ALL : scope;
        Instant retries = claims.attempts().now();
        DueRuns due = environment.store().due(new DueRuns.Query(environment.owner(), read, now, retries, turns, PAGE));
        due.undrained().forEach((root, count) -> engine.liveOfAnyTenant(root)
                .filter(run -> run.inbox().differs(count))
                .ifPresent(this::refresh));
        if (ownership.isLeased()) { // the store counts unread deliveries by the name of the process
            engine.liveRuns().forEach(this::refresh);
        }
        // Regardless of whose: else those of others, which nobody ends, would keep ours from being read.
        for (DueRuns.Expired late : due.expired()) {
            ExpiredWaits.end(environment.store().forTenant(late.tenantId()), List.of(late.call()), now);
        }
        for (String owner : due.owners()) {
            ownership.noteIfGone(owner);
        }
        int looked = 0;
        while (looked < due.toWake().size() && wakeIfOurs(due.toWake().get(looked))) {
            looked++;
        }
        turns = turns.after(due.toWake(), looked, PAGE);
        for (RunRecord run : failed.due(environment.store(), retries, this::isOwn)) {
            wake(run);
        }
        if (scope == DueRuns.Scope.ALL) {
            memory.look(now);
        }
    }

    /** A store finds the runs of one owner, and a lease gives each run its own. */
    private boolean looksAmongAll() {
        return scope == DueRuns.Scope.OWN && ownership.isLeased();
    }

    private boolean isOurs(RunRecord run) {
        boolean waits = run.status() == RunStatus.SUSPENDED || run.status() == RunStatus.PENDING;
        return !looksAmongAll()
                || (waits
                        && (ownership.hadLast(run)
                                || environment.tasks().idleCalls().of(run).isPresent()));
    }

    /** One inbox that cannot be read keeps no other from being read. */
    private void refresh(LocalRun run) {
        try {
            run.inbox().refresh();
        } catch (RuntimeException e) {
            LOG.warn("run {}: its deliveries could not be read: {}", run.runId(), e.getMessage());
        }
    }

    private boolean isOwn(RunRecord run) {
        return engine.forTenant(run.tenantId()).owns(run);
    }

    private boolean wakeIfOurs(RunRecord run) {
        return !isOurs(run) || wake(run);
    }

    /** Resume a run on a thread of its own; returns false if no more can be resumed now. */
    private boolean wake(RunRecord run) {
        RunId runId = run.runId();
        RunClaims claims = this.claims.forTenant(run.tenantId());
        if (engine.isAtWork(runId) || claims.isReserved(runId) || isLeftAlone(run) || waking.contains(runId)) {
            return true;
        }
        engine.forTenant(run.tenantId()).keepTurn(run);
        int additions = engine.definitions().additions();
        if (!engine.mayHaveDefinitionOf(run) || WakeAttempts.areUsedUp(run)) {
            leaveAlone(run, additions, Instant.MAX);
            return true;
        }
        boolean isTask = run.task().isPresent();
        if (isTask && !environment.tasks().tryEnter(runId, run.agentId())) {
            return true; // others may be resumed
        }
        if (!places.tryAcquire()) {
            environment.tasks().leave(runId);
            return false;
        }
        waking.add(runId);
        Thread ignored = Thread.ofVirtual().name("wake " + runId).start(() -> {
            try {
                resume(claims, run, additions);
            } finally {
                waking.remove(runId);
                environment.tasks().leave(runId);
                places.release();
            }
        });
        return true;
    }

    private void resume(RunClaims claims, RunRecord run, int additions) {
        try {
            switch (claims.find(run)) {
                case StoredDefinitions.Missing missing -> cannotResume(run, additions, missing.error());
                case StoredDefinitions.Here here -> {
                    RunClaims.Given given = claims.given(run, here);
                    if (!given.missing().isEmpty()) {
                        leaveAlone(run, additions, Instant.MAX);
                    } else if (claims.hasFreeThread(run)) {
                        Optional<LocalRun> resumed = claims.wake(run, given);
                        if (resumed.isPresent()) {
                            resumed.get().awaitQuietly(); // so long it has its place
                            if (resumed.get().isGivenUp()) {
                                wakeAgain(run);
                            }
                        }
                    }
                }
            }
        } catch (ConfigurationException e) {
            cannotResume(run, additions, e);
        } catch (ThreadBusyException e) {
            LOG.debug("run {}: its thread is busy: {}", run.runId(), e.getMessage());
            wakeAgain(run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.warn("run {}: it could not be resumed: {}", run.runId(), e.getMessage());
            wakeAgain(run);
        }
    }

    /** A run that was claimed and could not be continued is released, and no process's own any more. */
    private void wakeAgain(RunRecord run) {
        failed.add(run, claims.attempts().next(run));
        begin.run();
    }

    private void cannotResume(RunRecord run, int additions, ChargehandException why) {
        LOG.debug("run {}: it cannot be resumed here: {}", run.runId(), why.getMessage());
        leaveAlone(run, additions, why.retryable() ? engine.now().plus(RETRY) : Instant.MAX);
    }

    private boolean isLeftAlone(RunRecord run) {
        synchronized (leftAlone) {
            Left left = leftAlone.get(run.runId());
            return left != null
                    && left.length() == run.length()
                    && left.additions() == engine.definitions().additions()
                    && engine.now().isBefore(left.until());
        }
    }

    private void leaveAlone(RunRecord run, int additions, Instant until) {
        if (until.equals(Instant.MAX)) {
            failed.remove(run.runId());
        }
        synchronized (leftAlone) {
            leftAlone.put(run.runId(), new Left(run.length(), additions, until));
        }
        if (WakeAttempts.areUsedUp(run)) {
            LOG.error(
                    "run {}: resumed {} times without progress; recover() lists it as stuck, resume(runId) tries again",
                    run.runId(),
                    run.attempts());
        }
    }
}
