package dev.chargehand.internal.engine.resume;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Cancels root runs, wherever they are executed or wait. Thread-safe. */
public final class RunCanceller {

    private static final Log LOG = Log.of(RunCanceller.class);

    /** How long the process that executes a run has to read that it is cancelled. */
    private static final Duration UNREAD = Duration.ofSeconds(5);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final String CALLER = "caller";

    private static final int LONGEST_REASON = 2_000;

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;

    /** Make it for a runtime. */
    public RunCanceller(RuntimeEnvironment environment, Engine engine, RunClaims claims) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
    }

    /**
     * Cancel a run: by a delivery, which the process that executes it reads; one that is live here directly too.
     * If no process does, or it does not read it in time, the run is ended in the store, which rejects all later writes
     * of its owner. An attempt of a background task that is followed by another one stands for that: the run of the first attempt
     * has the id of the task. Returns whether the run has ended because of a cancel.
     */
    public boolean cancel(RunId runId) {
        return cancel(runId, new StopReason.Cancelled(CALLER));
    }

    /**
     * Cancel a run, for a reason in the words of the caller.
     *
     * @throws ConfigurationException if the reason is blank or too long
     */
    public boolean cancelFor(RunId runId, String why) {
        return cancel(runId, new StopReason.Cancelled(CALLER, given(runId, why)));
    }

    /** Cancel a run, by the caller or by something else. */
    boolean cancel(RunId runId, StopReason.Cancelled reason) {
        engine.requireOpen();
        Optional<RunId> next = Optional.of(runId);
        while (next.isPresent()) {
            if (isCancelledBy(reason, next.get())) {
                return true;
            }
            next = attemptAfter(next.get()); // stored in the transaction that ended the one before
        }
        return false;
    }

    private String given(RunId runId, String why) {
        if (why.isBlank() || why.length() > LONGEST_REASON) {
            throw new ConfigurationException("Run " + runId + ": the reason of a cancel must have 1 to "
                    + LONGEST_REASON + " characters and must not be blank; leave it out to give none.");
        }
        return environment.redactor().redact(why);
    }

    private boolean isCancelledBy(StopReason.Cancelled reason, RunId runId) {
        engine.releases().tryNow(runId);
        try (RunClaims.Reservation ignored = claims.reserve(runId)) { // it is this call that ends it
            return reserved(runId, reason);
        }
    }

    private Optional<RunId> attemptAfter(RunId runId) {
        return environment
                .store()
                .find(runId)
                .flatMap(RunRecord::task)
                .flatMap(ended ->
                        environment.store().list(RunFilter.ROOTS.tasks(TaskFilter.attemptsOf(ended.taskId()))).stream()
                                .filter(run -> run.task().orElseThrow().attempt() == ended.attempt() + 1)
                                .map(RunRecord::runId)
                                .findFirst());
    }

    private boolean reserved(RunId runId, StopReason.Cancelled reason) {
        long startedAt = environment.time().nanoTime();
        long seen = 0;
        boolean delivered = false;
        for (int look = 1; ; look++) {
            Optional<LocalRun> live = engine.live(runId);
            if (live.isPresent() && live.get().cancelEvenSuspended(reason)) {
                return delivered || isStoredOf(live.get(), reason);
            }
            Optional<RunRecord> found = environment.store().find(runId).filter(RunRecord::isRoot);
            if (found.isEmpty() || found.get().status().isEnded()) {
                return delivered && found.map(this::isCancelled).orElse(true);
            }
            if (!delivered) {
                delivered = deliver(runId, reason);
            }
            if (mayEnd(found.get(), startedAt, look) && ended(found.get(), reason)) {
                return true;
            }
            seen = environment.store().awaitChange(seen, BETWEEN_LOOKS);
            if (Thread.currentThread().isInterrupted()) {
                throw new RunWait(runId, environment.time(), engine.waits()).interrupted(null);
            }
        }
    }

    /**
     * Store the cancel of a run that is live here, so that it is not lost if this process dies before the end is stored. A store that fails
     * does not keep the run from ending here. Returns whether the run can still read it, or has ended because of it.
     */
    private boolean isStoredOf(LocalRun run, StopReason.Cancelled reason) {
        try {
            return deliver(run.runId(), reason)
                    || environment
                            .store()
                            .find(run.runId())
                            .map(this::isCancelled)
                            .orElse(true);
        } catch (StoreException e) {
            LOG.warn("run {}: its cancel is not stored: {}", run.runId(), e.getMessage());
            return true;
        }
    }

    /** Return whether the run can still read it. */
    private boolean deliver(RunId runId, StopReason.Cancelled reason) {
        Delivery cancel = new Delivery(
                runId,
                DeliveryCodec.CANCEL,
                Delivery.Kind.CANCEL,
                DeliveryCodec.write(reason),
                environment.time().now());
        return !(environment.store().deliver(cancel) instanceof Delivered.NotWaiting);
    }

    private boolean isCancelled(RunRecord run) {
        return SuspendedRuns.look(environment.store(), run)
                .stopReason()
                .filter(StopReason.Cancelled.class::isInstance)
                .isPresent();
    }

    /** Return whether no process reads the delivery, or none has in time. */
    private boolean mayEnd(RunRecord run, long startedAt, int look) {
        return run.status() != RunStatus.RUNNING
                || environment.time().nanoTime() - startedAt >= UNREAD.toNanos()
                || !environment.ownership().isRunning(environment.store(), run.runId(), look);
    }

    /** Return the definition of a run whose end its hooks receive; null if it is not here, or cannot be looked for. */
    private @Nullable RunDefinition definitionOf(RunRecord seen) {
        try {
            return engine.findDefinitionOf(SuspendedRuns.look(environment.store(), seen))
                    .orElse(null);
        } catch (VersionUnknownException e) {
            return null;
        }
    }

    /**
     * End a run as it was seen; returns whether it did, and no other resumed it or wrote to it. A run that another
     * process executes is claimed first, which keeps that process from writing to its nested runs meanwhile.
     */
    private boolean ended(RunRecord seen, StopReason reason) {
        return claims.alone(seen.runId(), () -> {
                    RunDefinition definition = definitionOf(seen);
                    OptionValues hooks =
                            definition == null ? OptionValues.DEFAULT : engine.optionsFor(definition, seen.runId());
                    Consumer<RunRecord> end = mine -> engine.ended(
                            engine.suspensions().end(mine, reason, definition, SuspendedRuns.hooksOfEnd(seen, hooks)));
                    if (seen.status() == RunStatus.RUNNING) {
                        claims.claimedToEnd(seen, end);
                    } else {
                        end.accept(seen);
                    }
                    engine.noteTaken(seen);
                    return Optional.of(seen);
                })
                .isPresent();
    }
}
