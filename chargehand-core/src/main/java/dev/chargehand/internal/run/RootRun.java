package dev.chargehand.internal.run;

import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunTakenOverException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.ForeignThreads;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.ListenerPump;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A root run on its thread, as those see it who wait for it or cancel it. */
final class RootRun {

    private static final Log LOG = Log.of(RootRun.class);

    private final ForeignThreads threads;
    private final RunId runId;
    private final Supplier<Outcome> work;
    private final Cancellation cancellation;
    private final @Nullable EventSink sink;
    private final List<ListenerPump> pumps;
    private final List<TimeSource.Alarm> alarms;
    private final Letting letting;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean letGo;
    private volatile @Nullable Outcome outcome;
    private volatile @Nullable RunLeft left;
    private volatile @Nullable RunTakenOverException takenOver;
    private volatile @Nullable StopReason cancelledEvenSuspended;

    /**
     * What happens when the run lets go of itself.
     *
     * @param path its agent
     * @param stored whether it is in the store though it has not begun here
     * @param giveUp gives a released run up in the store
     * @param over is called when nothing of the run is executed here any more, except listeners
     */
    record Letting(AgentPath path, boolean stored, Consumer<RootRun> giveUp, Runnable over) {}

    RootRun(
            ForeignThreads threads,
            RunId runId,
            Supplier<Outcome> work,
            Cancellation cancellation,
            @Nullable EventSink sink,
            List<ListenerPump> pumps,
            List<TimeSource.Alarm> alarms,
            Letting letting) {
        this.threads = threads;
        this.letting = letting;
        this.runId = runId;
        this.work = work;
        this.cancellation = cancellation;
        this.sink = sink;
        this.pumps = pumps;
        this.alarms = alarms;
    }

    RunId runId() {
        return runId;
    }

    /** Advances the run on a thread of its own. */
    void begin(Consumer<RootRun> onEnd) {
        threads.enter();
        Thread.ofVirtual().name("run " + runId).start(() -> {
            try {
                outcome = work.get();
            } catch (RunLeft e) {
                leave(e);
            } catch (RunTakenOverException e) {
                takenOver = e;
            } finally {
                letGo = true;
                letting.over().run();
                end(onEnd);
            }
        });
    }

    private void end(Consumer<RootRun> onEnd) {
        try {
            tidyUp();
            onEnd.accept(this);
        } finally {
            ended.countDown();
            threads.leave();
        }
    }

    private void leave(RunLeft e) {
        left = e;
        letting.giveUp().accept(this);
        if (sink != null && !e.hasBegun()) {
            sink.emit(runId, letting.path(), 0, RunEvent.RunReleased::new);
        }
    }

    private void tidyUp() {
        alarms.forEach(TimeSource.Alarm::cancel);
        if (sink != null) {
            attempt(sink::end);
            pumps.forEach(pump -> attempt(pump::finish));
        }
    }

    /** Does what a listener may break: nobody may wait for ever for a run that is over. */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("run {}: could not be tidied up: {}", runId, e.getClass().getName());
        }
    }

    void cancel(String by) {
        cancellation.cancel(new StopReason.Cancelled(by));
    }

    /** Lets the run begin nothing new, and leave itself as it is stored when what is in flight has ended. */
    void release() {
        cancellation.release();
    }

    /** Lets the run wait for nothing any more. */
    void abandon() {
        cancellation.abandon();
    }

    /** Returns whether nothing of the run is executed here any more, except listeners. */
    boolean hasLetGo() {
        return letGo;
    }

    /** Returns whether the run is over here, and its listeners have heard of it. */
    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Returns whether this process left the run before it ended. */
    boolean isLeft() {
        return left != null;
    }

    /** Waits for the end; an interrupt cancels the run, and is set again when it has ended. */
    void await() {
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
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

    /** Waits until the run is not live any more; an interrupt ends the wait, and nothing else. */
    void awaitQuietly() throws InterruptedException {
        ended.await();
    }

    /** Tells whether the run has let go of itself to wait. */
    boolean isSuspended() {
        Outcome known = outcome;
        return known != null && known.isSuspended();
    }

    /** Cancels the run, and even if it lets go of itself at this very moment. */
    void cancelEvenSuspended(String by) {
        cancelledEvenSuspended = new StopReason.Cancelled(by);
        cancel(by);
    }

    /** Returns why a run that has let go of itself is to be ended, if it is. */
    Optional<StopReason> cancelledEvenSuspended() {
        return Optional.ofNullable(cancelledEvenSuspended);
    }

    RunResult result() {
        await();
        RunLeft leftThen = left;
        if (leftThen != null) {
            throw new RunReleasedException(runId, leftThen.partialText(), leftThen.hasBegun() || letting.stored());
        }
        RunTakenOverException gone = takenOver;
        if (gone != null) {
            throw gone;
        }
        Outcome known = outcome;
        if (known == null) {
            throw new IllegalStateException("Run " + runId + " ended without an outcome.");
        }
        return known.resultOrThrow();
    }
}
