package dev.chargehand.internal.engine;

import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.RunTakenOverException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.ThreadQueues;
import dev.chargehand.internal.event.ListenerPump;
import dev.chargehand.internal.event.LiveFeed;
import dev.chargehand.internal.event.LiveRunStream;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.TreeInbox;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.Outcome;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A root run on its thread, as those see it who wait for it or cancel it. */
public final class LocalRun implements Runnable {

    private static final Log LOG = Log.of(LocalRun.class);

    private final Engine engine;
    private final ForeignThreads threads;
    private final RunSurroundings around;
    private final Supplier<RunOutcome> work;
    private final ThreadQueues.@Nullable Turn turn;
    private final long epoch;
    private final List<TimeSource.Alarm> alarms;
    private final @Nullable LiveRunStream stream;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean letGo;
    private volatile @Nullable RunOutcome outcome;
    private volatile @Nullable RunLeftException left;
    private volatile @Nullable RunTakenOverException takenOver;
    private final AtomicReference<LastCancel> lastCancel = new AtomicReference<>(new LastCancel(null, false));

    /** The cancel that ends the run even if it lets go of itself, and whether the run is over, so that no other counts. */
    private record LastCancel(@Nullable StopReason reason, boolean over) {}

    /**
     * Prepare a run, and set the alarms of its time limits.
     *
     * @param work advances it, and waits for its thread of messages before if it has to
     * @param turn its place in the queue for that thread, left when the run has ended; null if it has no thread
     * @param spent its time that was spent before this process resumed it
     * @param epoch the epoch under which it writes
     */
    LocalRun(
            Engine engine,
            RunSurroundings around,
            Supplier<RunOutcome> work,
            ThreadQueues.@Nullable Turn turn,
            RunSurroundings.TimeSpent spent,
            long epoch) {
        this.engine = engine;
        this.threads = engine.environment().callouts().threads();
        this.around = around;
        this.work = work;
        this.turn = turn;
        this.epoch = epoch;
        this.alarms = around.alarms(engine.environment().time(), spent);
        this.stream = around.stream() == null
                ? null
                : new LiveRunStream(
                        threads,
                        around.runId(),
                        around.stream(),
                        this::cancel,
                        this::result,
                        this::await,
                        around.tree().scope().textIsFinal(),
                        around.options().get(Options.ON_CLOSE));
    }

    /** Return its id. */
    public RunId runId() {
        return around.runId();
    }

    /** Return the tenant that it belongs to. */
    String tenantId() {
        return engine.environment().tenantId();
    }

    /** Return the resource that its caller named, or null. */
    @Nullable
    String resourceId() {
        return around.options().get(Options.RESOURCE);
    }

    /** Return the inbox of its tree. */
    public TreeInbox inbox() {
        return around.tree().inbox();
    }

    /**
     * Join the readers of its events.
     *
     * @param forgotten whether its store forgets it when it ends
     * @return nothing if no event follows here
     */
    public Optional<LiveFeed> join(boolean forgotten) {
        return around.sink().join(epoch, forgotten);
    }

    /** Return the agent of the root run. */
    public AgentPath path() {
        return AgentPath.root(around.definition().id());
    }

    RunSurroundings around() {
        return around;
    }

    /** Return the epoch under which this process writes to it. */
    public long epoch() {
        return epoch;
    }

    /** Start the run on a thread of its own. */
    LocalRun start() {
        engine.live().add(this);
        threads.enter();
        engine.runThreads().start("run " + runId(), this);
        return this;
    }

    /** Advance the run to its end on the current thread. */
    @Override
    public void run() {
        try (CallerContext.Opened ignored = around.work().open()) {
            outcome = work.get();
        } catch (RunLeftException e) {
            leave(e);
        } catch (RunTakenOverException e) {
            takenOver = e;
        } catch (RuntimeException | Error e) {
            around.work().end(e);
            throw e;
        } finally {
            letGo = true;
            engine.live().changed();
            end();
        }
    }

    private void leave(RunLeftException e) {
        left = e;
        engine.giveUp(this);
        if (!e.hasStarted()) {
            new RunEvents(around.sink(), runId(), path()).emit(0, RunEvent.RunReleased::new);
        }
    }

    private void end() {
        try {
            tidyUp();
            RunOutcome known = outcome;
            around.work().end(known == null ? Outcome.released() : known.observed());
            engine.over(this);
            if (turn != null) {
                turn.close();
            }
        } finally {
            ended.complete(null);
            threads.leave();
        }
    }

    private void tidyUp() {
        for (TimeSource.Alarm alarm : alarms) {
            alarm.cancel();
        }
        attempt(around.sink()::end);
        for (ListenerPump pump : around.pumps()) {
            attempt(pump::finish);
        }
    }

    /** Does what a listener may break: callers must not wait for a run that has ended. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("run {}: could not be tidied up: {}", runId(), e.getClass().getName());
        }
    }

    void cancel(String by) {
        around.cancellation().cancel(new StopReason.Cancelled(by));
    }

    /** Let the run start nothing new, and leave itself as it is stored when what is in flight has ended. */
    public void release() {
        around.cancellation().release();
    }

    /** Let the run wait for nothing any more. */
    void abandon() {
        around.cancellation().abandon();
    }

    /** Return whether nothing of the run is executed here any more, except listeners. */
    boolean hasLetGo() {
        return letGo;
    }

    /** Return whether the run is over here, and its listeners have received its end. */
    public boolean hasEnded() {
        return ended.isDone();
    }

    /** Return whether this process left the run because its store failed. */
    public boolean isGivenUp() {
        return around.tree().outage().failure() != null;
    }

    /** Return whether this process left the run before it ended. */
    boolean isLeft() {
        return left != null;
    }

    /** Wait for the end; an interrupt cancels the run, and is set again when it has ended. */
    void await() {
        boolean interrupted = false;
        while (true) {
            try {
                awaitQuietly();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                cancel("interrupt");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Wait until the run is not live any more; an interrupt ends the wait, and nothing else. */
    public void awaitQuietly() throws InterruptedException {
        awaitDone(ended);
    }

    /** Wait as {@link #awaitQuietly()} does, but no longer than a time. */
    public void awaitQuietly(TimeSource time, Duration most) throws InterruptedException {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        TimeSource.Alarm alarm = time.schedule(most, () -> passed.complete(null));
        try {
            awaitDone(CompletableFuture.anyOf(ended, passed));
        } finally {
            alarm.cancel();
        }
    }

    /** Call something on a thread of its own as soon as the run is not live any more. */
    public void whenOver(Runnable call) {
        CompletableFuture<Void> ignored =
                ended.thenRun(() -> Thread.ofVirtual().name("after " + runId()).start(call));
    }

    private static void awaitDone(CompletableFuture<?> future) throws InterruptedException {
        try {
            Object ignored = future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The end of a run is not known.", e);
        }
    }

    /** Return whether it is known where the run stands after its execution here. */
    public boolean hasOutcome() {
        return outcome != null;
    }

    /** Return whether the run has let go of itself to wait. */
    public boolean isSuspended() {
        RunOutcome known = outcome;
        return known != null && known.isSuspended();
    }

    /** Cancel the run, and even if it lets go of itself at this very moment; returns false if it is not live any more. */
    public boolean cancelEvenSuspended(StopReason.Cancelled reason) {
        boolean over = lastCancel
                .updateAndGet(before -> before.over() ? before : new LastCancel(reason, false))
                .over();
        around.cancellation().cancel(reason);
        return !over;
    }

    /** Return why a run that lets go of itself is to be ended, if it is by now. */
    Optional<StopReason> cancelledEvenSuspended() {
        return Optional.ofNullable(lastCancel.get().reason());
    }

    /** Do the same, and accept no cancel from now on. */
    Optional<StopReason> lastCancel() {
        return Optional.ofNullable(lastCancel
                .updateAndGet(before -> new LastCancel(before.reason(), true))
                .reason());
    }

    /**
     * Return its stream.
     *
     * @throws IllegalStateException if it was started without one
     */
    public RunStream stream() {
        if (stream == null) {
            throw new IllegalStateException("Run " + runId() + " was started without a stream.");
        }
        return stream;
    }

    /** Wait for the end and return the result, or throw the failure of the run; an interrupt cancels the run. */
    public RunResult result() {
        await();
        return settled().resultOrThrow(engine.environment().stepResults());
    }

    /**
     * Return where a run stands that is over here.
     *
     * @throws RunReleasedException if this process left it before it had ended
     * @throws RunTakenOverException if another process has taken it over and its result is not known here
     */
    public RunOutcome settled() {
        RunLeftException leftThen = left;
        if (leftThen != null) {
            throw new RunReleasedException(runId(), leftThen.partialText(), leftThen.hasStarted() || around.resumed());
        }
        RunTakenOverException gone = takenOver;
        if (gone != null) {
            throw gone;
        }
        RunOutcome known = outcome;
        if (known == null) {
            throw new IllegalStateException("Run " + runId() + " ended without an outcome.");
        }
        return known;
    }
}
