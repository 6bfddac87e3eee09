package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Hands the events of one root run to one listener, on a thread of its own. */
public final class ListenerPump {

    private static final Log LOG = Log.of(ListenerPump.class);

    private final TimeSource time;
    private final RunListener listener;
    private final Redactor redactor;
    private final CallerContext context;
    private final Duration patience;
    private final Subscription subscription;
    private final CountDownLatch finished = new CountDownLatch(1);

    private volatile boolean givenUp;

    /** The thread of the listener while it is this one's; guarded by this. */
    private @Nullable Thread thread;

    private ListenerPump(
            EventSink sink,
            TimeSource time,
            RunListener listener,
            Redactor redactor,
            CallerContext context,
            Duration patience) {
        this.time = time;
        this.listener = listener;
        this.redactor = redactor;
        this.context = context;
        this.patience = patience;
        this.subscription = sink.subscribe(new Subscription.Stall(patience, this::giveUp));
    }

    /** Start handing events to a listener. */
    public static ListenerPump start(
            ForeignThreads threads,
            EventSink sink,
            TimeSource time,
            RunListener listener,
            Redactor redactor,
            CallerContext context,
            Duration patience) {
        ListenerPump pump = new ListenerPump(sink, time, listener, redactor, context, patience);
        threads.start("listener", pump::pump);
        return pump;
    }

    /** Wait until the listener has heard everything, or for as long as a listener may take. */
    public void finish() {
        TimeSource.Alarm alarm = time.schedule(patience, () -> {
            giveUp();
            finished.countDown();
        });
        try {
            finished.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            alarm.cancel();
        }
        if (givenUp) {
            LOG.warn(
                    "A listener took longer than {}; it received no more events of this run.",
                    ReadableTime.of(patience));
        }
    }

    private void giveUp() {
        givenUp = true;
        subscription.discard();
        interrupt();
    }

    private synchronized void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private synchronized void runsOn(@Nullable Thread running) {
        thread = running;
    }

    private void pump() {
        runsOn(Thread.currentThread());
        try {
            for (Optional<RunEvent> event = subscription.take(); event.isPresent(); event = subscription.take()) {
                hand(event.get());
                if (!givenUp) {
                    Thread.interrupted(); // a listener that interrupts its own thread is not given up
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("A listener was abandoned.", e);
        } finally {
            runsOn(null);
            subscription.discard(); // the run waits for nothing that is not taken
            finished.countDown();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a listener throws must not end the others
    private void hand(RunEvent event) {
        try (CallerContext.Opened ignored = context.open()) {
            listener.onEvent(event);
        } catch (Throwable t) {
            LOG.warn("A listener threw on {}: {}", event.type(), redactor.describe(t));
        }
    }
}
