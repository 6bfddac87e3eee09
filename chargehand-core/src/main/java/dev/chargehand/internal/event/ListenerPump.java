package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.call.Instruments;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.spi.Outcome;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Hands the events of one root run to one listener, on a thread of its own. */
public final class ListenerPump {

    private static final Log LOG = Log.of(ListenerPump.class);

    private final EventSink sink;
    private final TimeSource time;
    private final RunListener listener;
    private final Redactor redactor;
    private final BoundedCalls calls;
    private final CallSite site;
    private final Duration patience;
    private final Subscription subscription;
    private final CountDownLatch finished = new CountDownLatch(1);

    private final AtomicBoolean reported = new AtomicBoolean();

    private volatile boolean givenUp;
    private volatile InstrumentedCall current = InstrumentedCall.NONE;

    /** The thread of the listener while it is this one's; guarded by this. */
    private @Nullable Thread thread;

    private ListenerPump(
            BoundedCalls calls,
            EventSink sink,
            TimeSource time,
            RunListener listener,
            Redactor redactor,
            CallSite site,
            Duration patience) {
        this.calls = calls;
        this.sink = sink;
        this.time = time;
        this.listener = listener;
        this.redactor = redactor;
        this.site = site;
        this.patience = patience;
        this.subscription = sink.subscribe(new Subscription.Stall(patience, this::giveUp));
    }

    /**
     * Start handing events to a listener.
     *
     * @param calls know the caller's context
     * @param site describes a call of the listener, but for the event
     */
    public static ListenerPump start(
            BoundedCalls calls,
            EventSink sink,
            TimeSource time,
            RunListener listener,
            Redactor redactor,
            CallSite site,
            Duration patience) {
        ListenerPump pump = new ListenerPump(calls, sink, time, listener, redactor, site, patience);
        calls.threads().start("listener", pump::pump);
        return pump;
    }

    /** Wait until the listener has received everything, or for as long as a listener may take. */
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
        report("it took longer than " + ReadableTime.of(patience));
        subscription.discard();
        interrupt();
        InstrumentedCall stuck = current;
        if (stuck != InstrumentedCall.NONE) { // this thread may be the one that rings all limits
            calls.threads().start("end of a listener", () -> stuck.end(Outcome.timedOut()));
        }
    }

    /** Report the first fault of the listener only: it receives the report too. */
    private void report(String fault) {
        if (!reported.getAndSet(true)) {
            sink.report(Objects.requireNonNull(site.run()), o -> new RunEvent.HookError(o, "listener", fault));
        }
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

    private void hand(RunEvent event) {
        Instruments instruments = calls.instruments();
        try (CallerContext.Opened callers = calls.context().open();
                CallerContext.Opened run =
                        instruments.within(Objects.requireNonNull(site.run()).runId())) {
            InstrumentedCall call = instruments.begin(site.named(event.type()));
            current = call;
            if (givenUp) {
                call.end(Outcome.timedOut());
            }
            hand(event, call);
            current = InstrumentedCall.NONE;
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a listener throws must not end the others
    private void hand(RunEvent event, InstrumentedCall call) {
        try (CallerContext.Opened ignored = call.open()) {
            listener.onEvent(event);
        } catch (Throwable t) {
            call.end(t);
            LOG.warn("A listener threw on {}: {}", event.type(), redactor.describe(t));
            report("it threw on " + event.type() + ": " + redactor.words(t));
        }
        call.end(Outcome.succeeded());
    }
}
