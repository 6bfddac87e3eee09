package dev.chargehand.internal.run;

import dev.chargehand.RunResult;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.ForeignThreads;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.ListenerPump;
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
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Outcome outcome;
    private volatile @Nullable StopReason cancelledEvenSuspended;

    RootRun(
            ForeignThreads threads,
            RunId runId,
            Supplier<Outcome> work,
            Cancellation cancellation,
            @Nullable EventSink sink,
            List<ListenerPump> pumps,
            List<TimeSource.Alarm> alarms) {
        this.threads = threads;
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
            } finally {
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
        Outcome known = outcome;
        if (known == null) {
            throw new IllegalStateException("Run " + runId + " ended without an outcome.");
        }
        return known.resultOrThrow();
    }
}
