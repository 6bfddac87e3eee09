package dev.chargehand.internal.engine.resume;

import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.WakeAttempts;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Resumes background tasks in places of this process, and other root runs at once. Thread-safe. */
final class TaskResumer {

    private static final Log LOG = Log.of(TaskResumer.class);

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;

    TaskResumer(RunClaims claims) {
        this.engine = claims.engine();
        this.environment = engine.environment();
        this.claims = claims;
    }

    /**
     * Resume a run if its thread is free; a background task for which no place is free when one is, with the same options. Returns nothing
     * if it is not resumed now.
     */
    Optional<LocalRun> resumeWhenPlaceIsFree(RunRecord seen, UnaryOperator<OptionValues> changes) {
        return seen.task().isEmpty()
                ? claims.resumeIfFree(seen, changes)
                : new Resumption(seen, changes).now(() -> claims.resumeIfFree(seen, changes));
    }

    /**
     * Have a task resumed when a place is free, with some options; it is known that it can be resumed here.
     *
     * @param now resumes it if a place is free now
     */
    Optional<LocalRun> resumeTask(
            RunRecord seen, UnaryOperator<OptionValues> changes, Supplier<Optional<LocalRun>> now) {
        return new Resumption(seen, changes).now(now);
    }

    /** Return whether a run waits in time for something that has not arrived. */
    boolean isWaiting(RunRecord run) {
        return run.status() == RunStatus.SUSPENDED
                && run.expiresAt()
                        .map(at -> at.isAfter(environment.time().now()))
                        .orElse(true)
                && environment.store().undrained(run.runId()).stream()
                        .noneMatch(delivery -> delivery.kind().wakes());
    }

    /** Resume a task that has a place: it leaves the place when its execution here is over, or at once if there is none. */
    private Optional<LocalRun> inPlace(RunId runId, Supplier<Optional<LocalRun>> resumption) {
        Optional<LocalRun> resumed = Optional.empty();
        try {
            resumed = resumption.get();
            return resumed;
        } finally {
            resumed.ifPresentOrElse(
                    this::leaveAtItsEnd, () -> environment.tasks().leave(runId));
        }
    }

    private void leaveAtItsEnd(LocalRun live) {
        Thread ignored = Thread.ofVirtual().name("task " + live.runId()).start(() -> {
            try {
                live.awaitQuietly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                environment.tasks().leave(live.runId());
            }
        });
    }

    /** A task that is to be resumed with the options of a caller, in the next free place. */
    private final class Resumption {

        private final RunId runId;
        private final String agentId;
        private final UnaryOperator<OptionValues> changes;
        private int failures;

        private Resumption(RunRecord seen, UnaryOperator<OptionValues> changes) {
            this.runId = seen.runId();
            this.agentId = seen.agentId();
            this.changes = changes;
        }

        private Optional<LocalRun> now(Supplier<Optional<LocalRun>> resumption) {
            if (!environment.tasks().enterOrWait(runId, agentId, this::entered)) {
                return Optional.empty();
            }
            Optional<LocalRun> resumed = inPlace(runId, resumption);
            if (resumed.isEmpty() && isLeft()) {
                tryLater();
            }
            return resumed;
        }

        /** Resume the task, which has waited for its place, unless another process has resumed or ended it since. */
        private void entered() {
            boolean again = false;
            environment.tasks().tries(runId, true); // also while it has left its place for the next attempt
            try {
                again = inPlace(runId, this::resumed).isEmpty() && isLeft();
            } catch (RuntimeException e) {
                LOG.warn("run {}: it could not be resumed when a place was free: {}", runId, e.getMessage());
                again = Outage.isCause(e);
            }
            if (again) {
                tryLater();
            } else {
                environment.tasks().tries(runId, false);
            }
        }

        private Optional<LocalRun> resumed() {
            return toResume().flatMap(run -> claims.resumeIfFree(run, changes));
        }

        private Optional<RunRecord> toResume() {
            return engine.isOpen()
                    ? environment
                            .store()
                            .find(runId)
                            .filter(run -> !run.status().isEnded() && !isWaiting(run))
                    : Optional.empty();
        }

        /** Return whether the task could have been resumed but for another run, which had its thread and may have ended since. */
        private boolean isLeft() {
            return toResume().filter(claims::isFree).isPresent();
        }

        /** It has no place until then, and gets the next free one. */
        private void tryLater() {
            boolean tries = failures < WakeAttempts.MOST && engine.isOpen();
            environment.tasks().tries(runId, tries);
            if (tries) {
                TimeSource.Alarm ignored = environment
                        .time()
                        .schedule(
                                WakeAttempts.pauseAfter(failures++),
                                () -> Thread.ofVirtual().name("task " + runId).start(this::enter));
            }
        }

        private void enter() {
            if (environment.tasks().enterOrWait(runId, agentId, this::entered)) {
                entered();
            }
        }
    }
}
