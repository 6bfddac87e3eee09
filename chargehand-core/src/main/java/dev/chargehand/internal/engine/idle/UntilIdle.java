package dev.chargehand.internal.engine.idle;

import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.task.IdleCall;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
    private final RunListener listener = this::onTaskEvent;

    /** The turns and the events of tasks that have arrived and were not read. */
    private final ConcurrentLinkedQueue<RunStream> turns = new ConcurrentLinkedQueue<>();

    private final ConcurrentLinkedQueue<RunEvent> taskEvents = new ConcurrentLinkedQueue<>();

    /** The turns that have arrived, read or not. */
    private final Set<RunId> known = ConcurrentHashMap.newKeySet();

    /** Has a permit if something has arrived since the last wait for it. */
    private final Semaphore arrived = new Semaphore(0);

    /** Held by the thread that reads, also while it waits. */
    private final ReentrantLock reading = new ReentrantLock();

    /** The tasks as they were seen last; the store may have forgotten some. */
    private final Map<RunId, Task> tasks = Collections.synchronizedMap(new LinkedHashMap<>());

    private final List<RunResult> results = new ArrayList<>();

    private volatile @Nullable RunStream current;
    private volatile boolean cancelled;
    private volatile boolean closed;
    private volatile @Nullable RunId first;
    private @Nullable Iterator<RunEvent> events;
    private @Nullable IdleReason over;
    private @Nullable RuntimeException failure;
    private long quietSince;

    /** Make it for a call; {@link #reading} follows. */
    public UntilIdle(
            RuntimeEnvironment environment, RunDefinition definition, OptionValues options, OtherProcesses others) {
        this.environment = environment;
        this.definition = definition;
        this.options = options;
        this.others = others;
    }

    /** Read the first turn, which has been started with this call. */
    public IdleStream reading(RunStream turn) {
        first = turn.runId();
        quietSince = environment.time().nanoTime();
        turnStarts(turn);
        return this;
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
        return listener;
    }

    @Override
    public void turnStarts(RunStream turn) {
        known.add(turn.runId());
        turns.add(turn);
        arrived.release();
    }

    @Override
    public void taskEnded(Task task) {
        tasks.put(task.id(), task);
        arrived.release();
    }

    private void onTaskEvent(RunEvent event) {
        if (event instanceof BackgroundTaskEvent) {
            taskEvents.add(event);
            arrived.release();
        }
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
            reading.unlock();
        }
    }

    private @Nullable RunEvent taken() {
        while (over == null && !closed) {
            RunEvent ofTask = taskEvents.poll();
            if (ofTask != null) {
                return happened(ofTask);
            }
            Iterator<RunEvent> turn = events;
            if (turn == null) {
                if (!nextTurn()) {
                    stand();
                }
            } else if (turn.hasNext()) {
                return happened(turn.next());
            } else {
                turnEnded();
            }
            if (over != null) {
                return idle(over);
            }
        }
        return null;
    }

    private RunEvent happened(RunEvent event) {
        quietSince = environment.time().nanoTime();
        return event;
    }

    private boolean nextTurn() {
        RunStream next = turns.poll();
        if (next == null) {
            return false;
        }
        current = next;
        events = next.iterator();
        if (cancelled) {
            next.cancel();
        }
        return true;
    }

    private void turnEnded() {
        RunStream turn = current;
        current = null;
        events = null;
        if (turn == null) {
            return;
        }
        try {
            RunResult result = turn.result();
            boolean called = results.isEmpty() || !result.steps().isEmpty();
            if (called) {
                results.add(result);
            }
            if (result.status() == RunStatus.ABORTED) {
                end(IdleReason.CANCELLED);
            } else if (result.status() == RunStatus.SUSPENDED) {
                end(IdleReason.SUSPENDED);
            } else if (!called && result.status() == RunStatus.INCOMPLETE) {
                end(IdleReason.LIMIT);
            } // else what is left decides
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
        unregister();
    }

    private void unregister() {
        environment.tasks().idleCalls().close(environment.tenantId(), runId());
    }

    /** Look where the call stands while no turn is executed here; wait if something is left. */
    private void stand() {
        IdleLook look = look().orElse(null);
        if (look == null) {
            String text = results.isEmpty() ? "" : results.getLast().text();
            leave(new RunReleasedException(runId(), text, true));
            return;
        }
        note(look.tasks());
        followOthers(look);
        if (!turns.isEmpty() || !taskEvents.isEmpty()) {
            return; // it has arrived before the look, or with it
        }
        if (cancelled) {
            end(IdleReason.CANCELLED);
        } else if (!look.works()) {
            end(look.waits() ? IdleReason.SUSPENDED : whenDone());
        } else if (isQuiet()) {
            end(IdleReason.QUIET);
        } else {
            await();
        }
    }

    /** Return nothing if the runtime is closed. */
    private Optional<IdleLook> look() {
        if (!others.isOpen()) {
            return Optional.empty();
        }
        try {
            return Optional.of(IdleLook.at(environment.store(), runId()));
        } catch (RuntimeException e) {
            if (others.isOpen()) {
                throw e;
            }
            return Optional.empty(); // it was closed in between
        }
    }

    private IdleReason whenDone() {
        StopReason stop = results.getLast().stopReason();
        boolean limited = stop instanceof StopReason.LimitReached || stop instanceof StopReason.BudgetExhausted;
        return limited ? IdleReason.LIMIT : IdleReason.DONE;
    }

    private void note(List<Task> stored) {
        stored.stream().sorted(Comparator.comparing(Task::startedAt)).forEach(task -> tasks.put(task.id(), task));
    }

    /** Turns that another process has claimed, because this one had stopped for a while, are read from the store, also if they are over. */
    private void followOthers(IdleLook look) {
        for (RunRecord turn : look.turns()) {
            boolean isTaken = turn.status() != RunStatus.PENDING && !others.isHere(turn);
            if (isTaken && !known.contains(turn.runId())) {
                turnStarts(others.follow(turn.runId(), AgentPath.parse(turn.path())));
            }
        }
    }

    private boolean isQuiet() {
        Duration limit = options.get(Options.TIME_LIMITS).get(TimeLimit.QUIET);
        return environment.time().nanoTime() - quietSince >= limit.toNanos();
    }

    private void await() {
        try {
            if (arrived.tryAcquire(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
                arrived.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(IdleReason.CANCELLED);
        }
    }

    private void end(IdleReason reason) {
        over = reason;
        unregister();
    }

    private RunEvent idle(IdleReason reason) {
        look().map(IdleLook::tasks).ifPresent(this::note);
        Origin origin = new Origin(
                Optional.empty(),
                runId(),
                AgentPath.root(definition.id()),
                0,
                environment.time().now(),
                false,
                environment.tenantId());
        return new Idle(origin, reason, results.size(), tasks.size());
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
        return new UntilIdleResult(over == null ? IdleReason.CANCELLED : over, results, seen());
    }

    private List<Task> seen() {
        synchronized (tasks) { // as a copy of such a map wants it
            return List.copyOf(tasks.values());
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        RunStream turn = current;
        if (turn != null) {
            turn.cancel();
        }
        look().ifPresent(look -> {
            look.turns().stream().filter(run -> !run.status().isEnded()).forEach(run -> others.cancel(run.runId()));
            look.tasks().stream().filter(task -> !task.status().isEnded()).forEach(task -> others.cancel(task.runId()));
        });
        arrived.release();
    }

    @Override
    public void close() {
        closed = true;
        unregister();
        RunStream turn = current;
        if (turn != null) {
            turn.close();
        }
        turns.forEach(RunStream::close);
        arrived.release();
    }
}
