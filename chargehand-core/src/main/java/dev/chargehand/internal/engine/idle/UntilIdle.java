package dev.chargehand.internal.engine.idle;

import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.Tasks;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.task.IdleCall;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Follows the turns and tasks of an until-idle call for its caller, turn after turn. The runs of this process pass what happens; the
 * store says what other processes do, and that nothing is left.
 */
public final class UntilIdle implements IdleStream, IdleCall {

    /** How long it waits between two looks into the store while nothing arrives. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final RuntimeEnvironment environment;
    private final RunDefinition definition;
    private final OptionValues options;
    private final OtherProcesses others;
    private final IdleArrivals arrivals = new IdleArrivals();
    private final TaskArrivals taskArrivals;
    private final IdleTurns turns = new IdleTurns();
    private final SeenTasks tasks = new SeenTasks();

    /** Held by the thread that reads, also while it waits. */
    private final ReentrantLock reading = new ReentrantLock();

    private final TurnResults results = new TurnResults();
    private final FailedLooks looks;
    private final QuietTime quiet;

    private volatile @Nullable TurnReader current;
    private volatile boolean cancelled;
    private volatile boolean closed;
    private volatile @Nullable RunId first;
    private volatile @Nullable IdleReason over;

    /** Whether something may have happened since the last look while no turn is executed. */
    private volatile boolean lookIsDue = true;

    private @Nullable RuntimeException failure;
    private long lookedAt;
    private boolean hasTasks;
    private boolean interrupted;

    /** Make it for a call whose first turn is to be started. */
    public UntilIdle(
            RuntimeEnvironment environment, RunDefinition definition, OptionValues options, OtherProcesses others) {
        this.environment = environment;
        this.definition = definition;
        this.options = options;
        this.others = others;
        this.taskArrivals = options.get(Options.TASK_EVENTS) == Tasks.ALL
                ? new WholeTasks(others, arrivals)
                : new ForeignTasks(others, arrivals);
        this.looks = new FailedLooks(environment.time());
        this.quiet = new QuietTime(
                environment.time(), options.get(Options.TIME_LIMITS).get(TimeLimit.QUIET));
    }

    @Override
    public RunDefinition definition() {
        return definition;
    }

    @Override
    public OptionValues options() {
        return options;
    }

    @Override
    public RunListener taskListener() {
        return taskArrivals.listener();
    }

    @Override
    public void taskStarts(RunId runId, AgentPath path) {
        taskArrivals.starts(runId, path);
    }

    @Override
    public void turnStarts(RunStream turn) {
        if (first == null) {
            first = turn.runId();
        }
        turns.add(turn);
        lookIsDue = true;
        arrivals.wake();
    }

    @Override
    public void taskEnded(Task task) {
        tasks.add(task);
        lookIsDue = true;
        arrivals.wake();
    }

    @Override
    public RunId runId() {
        RunId id = first;
        if (id == null) {
            throw new IllegalStateException("The call has no turn yet.");
        }
        return id;
    }

    @Override
    public Iterator<RunEvent> iterator() {
        return new TakenEvents(this::take);
    }

    /** Return the next event, waiting for it; null once the call is over. */
    private @Nullable RunEvent take() {
        reading.lock();
        try {
            return taken();
        } finally {
            restoreInterrupt();
            reading.unlock();
        }
    }

    private @Nullable RunEvent taken() {
        while (over == null && !closed) {
            TurnReader turn = current == null ? nextTurn() : current;
            boolean isRead = turn != null && turn.isOver(); // before the last event is taken
            if (turn != null) {
                readForeignTasks();
            }
            if (!isRead
                    && !taskArrivals.nextIfReadable()) { // a task that is never silent keeps no turn from the reader
                lookIsDue = true;
            }
            RunEvent event = arrivals.poll();
            if (event != null) {
                return happened(event);
            }
            if (turn == null) {
                stand();
            } else if (isRead) {
                turnEnded(turn);
            } else {
                awaitTurn(turn);
            }
            if (over != null) {
                return idle(over);
            }
        }
        return null;
    }

    private RunEvent happened(RunEvent event) {
        quiet.restart();
        if (event instanceof BackgroundTaskEvent) {
            hasTasks = true;
            lookIsDue = true;
        }
        return event;
    }

    private @Nullable TurnReader nextTurn() {
        RunStream next = turns.poll();
        if (next == null) {
            return null;
        }
        TurnReader reader = TurnReader.start(next, arrivals);
        current = reader;
        if (cancelled) {
            next.cancel();
        }
        if (closed) {
            next.close(); // close() may have come before it was the current one
        }
        return reader;
    }

    /** Tasks that other processes execute are read from the store at intervals while a turn is executed. */
    private void readForeignTasks() {
        long now = environment.time().nanoTime();
        if (hasTasks && now - lookedAt >= BETWEEN_LOOKS.toNanos()) {
            lookedAt = now;
            boolean ignored = looks.look(() -> look().ifPresent(look -> taskArrivals.read(look.attempts())));
        }
    }

    private void awaitTurn(TurnReader turn) {
        try {
            if (!arrivals.await(BETWEEN_LOOKS)) {
                lookedAt = environment.time().nanoTime()
                        - BETWEEN_LOOKS.toNanos(); // time has passed, also if a clock stands
                endIfLeft(turn.turn());
            }
        } catch (InterruptedException e) {
            interrupted = true;
            turn.interrupt();
        }
    }

    /** A turn that no process continues is waited for as long as anything else of the call. */
    private void endIfLeft(RunStream turn) {
        boolean known = turns.isFollowed(turn.runId())
                && looks.look(() -> {
                    if (!others.isLeft(turn.runId())) {
                        quiet.restart();
                    }
                });
        if (known && quiet.isReached()) {
            end(IdleReason.QUIET);
            turn.close();
        }
    }

    private void restoreInterrupt() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    private void turnEnded(TurnReader reader) {
        RuntimeException broken = reader.failure();
        if (broken != null) {
            current = reader.again();
            boolean ignored = looks.look(() -> {
                throw broken;
            });
            await();
            return;
        }
        current = null;
        lookIsDue = true;
        restoreInterrupt();
        try {
            RunResult result = reader.turn().result();
            boolean called = results.add(result);
            if (TurnResults.sleeps(result)) {
                turns.sleeps(result.runId());
            } else {
                TurnResults.endAfter(result, called).ifPresent(this::end);
            }
        } catch (RunFailedException e) {
            failure = e;
            end(IdleReason.FAILED);
        } catch (RuntimeException e) {
            leave(e); // this process has left the turn
        }
    }

    /** End the reading without a reason of the call, which others continue. */
    private void leave(RuntimeException why) {
        failure = why;
        closed = true;
        stopReading();
        turns.leave();
    }

    /** What turns and tasks emit from now on is dropped. */
    private void stopReading() {
        environment.tasks().idleCalls().close(environment.tenantId(), runId());
        arrivals.close();
        taskArrivals.close();
    }

    /** Look where the call stands while no turn is executed here; wait if something is left, or if the store fails. */
    private void stand() {
        if (lookIsDue) {
            lookIsDue = false;
            if (looks.look(this::standNow)) {
                return;
            }
            lookIsDue = true;
        }
        await();
    }

    private void standNow() {
        IdleLook look = look().orElse(null);
        if (look == null) {
            leave(new RunReleasedException(runId(), results.text(), true));
            return;
        }
        tasks.addAll(look);
        turns.follow(look, others);
        taskArrivals.read(look.attempts());
        boolean works = look.works() || taskArrivals.areToCome(tasks, look.attempts());
        taskArrivals.next();
        if (!turns.isEmpty() || arrivals.hasEvents()) {
            lookIsDue = true;
            return; // it has arrived before the look, or with it
        }
        if (cancelled) {
            end(IdleReason.CANCELLED);
        } else if (!works) {
            boolean hadTasks = hasTasks || tasks.count() > 0;
            end(look.waits() ? IdleReason.SUSPENDED : results.whenDone(look, environment.store(), hadTasks));
        } else if (quiet.isReached()) {
            end(IdleReason.QUIET);
        } else {
            await();
        }
    }

    private Optional<IdleLook> look() {
        return IdleLook.ifOpen(others, environment.store(), runId());
    }

    private void await() {
        try {
            if (!arrivals.await(BETWEEN_LOOKS)) {
                lookIsDue = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(IdleReason.CANCELLED);
        }
    }

    private void end(IdleReason reason) {
        over = reason;
        stopReading();
        turns.leave();
    }

    private RunEvent idle(IdleReason reason) {
        boolean ignored = looks.look(() -> look().ifPresent(tasks::addAll));
        return results.idle(environment, runId(), AgentPath.root(definition.id()), reason, tasks.count());
    }

    @Override
    public IdleResult result() {
        reading.lock();
        try {
            while (taken() != null) {
                // events that were not read are discarded
            }
            return ended();
        } finally {
            restoreInterrupt();
            reading.unlock();
        }
    }

    private IdleResult ended() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        if (results.isEmpty()) {
            throw new IllegalStateException("The stream was closed before its first turn had ended; it has no result.");
        }
        IdleReason reason = over == null ? IdleReason.CANCELLED : over;
        return new UntilIdleResult(reason, results.all(), tasks.all(), tasks.usageByAgent());
    }

    @Override
    public void cancel() {
        cancelled = true;
        TurnReader turn = current;
        if (turn != null) {
            turn.turn().cancel();
        }
        IdleLook.cancelAll(this::look, others);
        lookIsDue = true;
        arrivals.wake();
    }

    @Override
    public void close() {
        closed = true;
        stopReading();
        TurnReader turn = current;
        if (turn != null) {
            turn.turn().close();
        }
        turns.close();
    }
}
