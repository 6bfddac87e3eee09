package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Thrown;
import dev.chargehand.spi.Outcome;
import dev.chargehand.spi.TimeSource;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Work on the thread of its caller, which ends by itself soon after what it waits for was closed.
 *
 * <p>It has ended or timed out, depending on which came first.
 */
final class ClosableWork<T extends @Nullable Object> {

    private final CallSite site;
    private final InstrumentedCall call;
    private final Callable<T> work;
    private final Runnable close;
    private final DeadlineAlarm alarm;
    private final AtomicBoolean over = new AtomicBoolean();
    private @Nullable T value;
    private @Nullable Throwable thrown;

    /**
     * Make it.
     *
     * @param close closes what the work waits for, without waiting itself
     */
    ClosableWork(
            CallSite site,
            InstrumentedCall call,
            TimeSource time,
            Deadline deadline,
            Runnable close,
            Callable<T> work) {
        this.site = site;
        this.call = call;
        this.work = work;
        this.close = close;
        this.alarm = new DeadlineAlarm(time, deadline, this::expire);
    }

    private void expire() {
        if (over.compareAndSet(false, true)) {
            close.run();
        }
    }

    /** Do the work; returns when it has ended, also by an exception. */
    @SuppressWarnings("CatchingUnchecked") // the caller receives every exception of a model
    void run(CallerContext context) {
        alarm.set();
        try (CallerContext.Opened callers = context.open();
                CallerContext.Opened current = call.open()) {
            value = work.call();
        } catch (Throwable t) {
            thrown = Thrown.printable(t);
        } finally {
            alarm.stop();
        }
    }

    /** Return the result. */
    @SuppressWarnings("NullAway") // null only where T allows it
    T ended(Cancellation cancellation) throws BoundedCalls.TimedOutException, BoundedCalls.ThrewException {
        if (!over.compareAndSet(false, true)) {
            cancellation.check();
            call.end(Outcome.timedOut());
            throw new BoundedCalls.TimedOutException(site.toString());
        }
        Throwable failure = thrown;
        call.end(InstrumentedCall.outcome(failure, cancellation));
        if (failure != null) {
            throw new BoundedCalls.ThrewException(failure);
        }
        return value;
    }
}
