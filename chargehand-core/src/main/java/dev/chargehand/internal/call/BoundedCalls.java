package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Thrown;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls code that is not ours - models, tools, hooks, stores - so that it can neither hang a run nor outlive its
 * cancellation.
 *
 * <p>The work runs on a thread of its own. When its time is up or the run is to end, the thread is interrupted
 * and, if it ignores that, abandoned: the caller continues at once. Thread-safe.
 */
public final class BoundedCalls {

    private static final Log LOG = Log.of(BoundedCalls.class);

    private final TimeSource time;
    private final ForeignThreads threads;
    private final Instruments instruments;
    private final CallerContext context;
    private final Set<Work<?>> abandoned;
    private final Runnable beforeWaits;

    /** Make callouts whose limits go by a time source, and which instrumentations surround. */
    public BoundedCalls(TimeSource time, ForeignThreads threads, List<Instrumentation> instrumentations) {
        this(
                time,
                threads,
                new Instruments(instrumentations, time),
                CallerContext.NONE,
                ConcurrentHashMap.newKeySet(),
                () -> {});
    }

    private BoundedCalls(
            TimeSource time,
            ForeignThreads threads,
            Instruments instruments,
            CallerContext context,
            Set<Work<?>> abandoned,
            Runnable beforeWaits) {
        this.time = time;
        this.threads = threads;
        this.instruments = instruments;
        this.context = context;
        this.abandoned = abandoned;
        this.beforeWaits = beforeWaits;
    }

    /** Return callouts whose work has a caller's context; what they abandon is known here too. */
    public BoundedCalls with(CallerContext callers) {
        return callers.equals(context)
                ? this
                : new BoundedCalls(time, threads, instruments, callers, abandoned, beforeWaits);
    }

    /** Return callouts that do something before each wait of a caller; what they abandon is known here too. */
    public BoundedCalls beforeWaits(Runnable action) {
        return new BoundedCalls(time, threads, instruments, context, abandoned, action);
    }

    /** Return the abandoned threads of foreign code. */
    public ForeignThreads threads() {
        return threads;
    }

    /** Return what surrounds calls and runs. */
    public Instruments instruments() {
        return instruments;
    }

    /** Return what the caller had on its thread. */
    public CallerContext context() {
        return context;
    }

    /** Thrown when the work takes longer than it may. */
    public static final class TimedOutException extends Exception {
        private static final long serialVersionUID = 1L;

        TimedOutException(String what) {
            super(what, null, false, false);
        }
    }

    /** Thrown when the work threw; the cause is what it threw. */
    public static final class ThrewException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Throwable thrown;

        ThrewException(Throwable thrown) {
            super(thrown.getClass().getName(), thrown, false, false);
            this.thrown = thrown;
        }

        /** Return what the work threw. */
        public Throwable thrown() {
            return thrown;
        }
    }

    /**
     * Run work and wait for it.
     *
     * @param site describes the work
     * @throws TimedOutException if it took longer than the limit
     * @throws ThrewException if it threw
     * @throws RunInterruptedException if the run is to end
     */
    public <T extends @Nullable Object> T call(
            CallSite site, Duration limit, Cancellation cancellation, Callable<T> work)
            throws TimedOutException, ThrewException {
        return call(site, new Deadline(time, limit), cancellation, work);
    }

    /** Run work and wait for it, for as long as a movable deadline allows. */
    public <T extends @Nullable Object> T call(
            CallSite site, Deadline deadline, Cancellation cancellation, Callable<T> work)
            throws TimedOutException, ThrewException {
        cancellation.check();
        InstrumentedCall call = instruments.begin(site);
        Work<T> running = new Work<>(site, call, work, Thread.currentThread());
        threads.enter();
        try {
            threads.start(site.toString(), running);
            threads.waits().onThread();
            beforeWaits.run();
            await(running, new DeadlineAlarm(time, deadline, running::expire), cancellation);
            return running.ended(cancellation);
        } catch (RuntimeException | Error e) {
            call.end(e);
            throw e;
        } finally {
            threads.leave();
        }
    }

    /**
     * Run work that ends within its limit by itself on the calling thread, without a thread and an alarm for it.
     *
     * @throws ThrewException if it threw
     */
    @SuppressWarnings("CatchingUnchecked") // as on a thread of its own
    public <T extends @Nullable Object> T callHere(CallSite site, Callable<T> work) throws ThrewException {
        InstrumentedCall call = instruments.begin(site);
        T value;
        try (CallerContext.Opened current = call.open()) {
            value = work.call();
        } catch (Throwable t) {
            Throwable thrown = Thrown.printable(t);
            call.end(InstrumentedCall.outcome(thrown));
            throw new ThrewException(thrown);
        }
        call.end(Outcome.succeeded());
        return value;
    }

    /**
     * Run work on the calling thread that ends by itself soon after what it waits for was closed, without a thread for
     * it.
     *
     * @param close closes it when its time is up, without waiting itself; who calls closes it when the run is to end
     * @throws TimedOutException if it took longer than the deadline allows
     * @throws ThrewException if it threw
     * @throws RunInterruptedException if the run is to end
     */
    public <T extends @Nullable Object> T callHere(
            CallSite site, Deadline deadline, Cancellation cancellation, Runnable close, Callable<T> work)
            throws TimedOutException, ThrewException {
        cancellation.check();
        InstrumentedCall call = instruments.begin(site);
        ClosableWork<T> running = new ClosableWork<>(site, call, time, deadline, close, work);
        threads.enter();
        try {
            threads.waits().onSocket();
            beforeWaits.run();
            running.run(context);
            return running.ended(cancellation);
        } catch (RuntimeException | Error e) {
            call.end(e);
            throw e;
        } finally {
            threads.leave();
        }
    }

    private static void await(Work<?> running, DeadlineAlarm alarm, Cancellation cancellation) {
        Cancellation.Registration registration = cancellation.onCancel(running::wake);
        try {
            alarm.set();
            running.await(cancellation);
        } finally {
            alarm.stop();
            registration.close();
        }
    }

    /**
     * Run work without waiting for it; after its time limit it is abandoned. Exceptions are logged.
     *
     * <p>The thread that calls may be the one that rings the limits of all runs, so the work is instrumented on the
     * thread that executes it.
     *
     * @param site describes the work
     */
    public void start(CallSite site, Duration limit, Runnable work) {
        new Aside(site, limit, work).start();
    }

    /** Return the names of the work that was abandoned and has not ended yet. */
    public List<String> abandoned() {
        return abandoned.stream().map(work -> work.site.toString()).sorted().toList();
    }

    /** Work without a waiting caller. */
    private final class Aside {

        private final CallSite site;
        private final InstrumentedCall run;
        private final Runnable work;
        private final Work<Boolean> running;
        private final DeadlineAlarm alarm;
        private volatile InstrumentedCall call = InstrumentedCall.NONE;
        private volatile boolean expired;

        private Aside(CallSite site, Duration limit, Runnable work) {
            this.site = site;
            this.run = instruments.runOf(site); // now, since it may end first
            this.work = work;
            this.running = new Work<>(site, InstrumentedCall.NONE, this::run, Thread.currentThread());
            this.alarm = new DeadlineAlarm(time, new Deadline(time, limit), this::expire);
        }

        private void start() {
            alarm.set();
            threads.start(site.toString(), running);
        }

        private boolean run() {
            try (CallerContext.Opened ignored = run.open()) {
                return instrumented();
            } finally {
                alarm.stop();
            }
        }

        @SuppressWarnings("CatchingUnchecked") // whatever it throws, nobody waits for it
        private boolean instrumented() {
            InstrumentedCall started = instruments.begin(site);
            call = started;
            if (expired) {
                started.end(Outcome.timedOut());
            }
            try (CallerContext.Opened ignored = started.open()) {
                work.run();
            } catch (Throwable t) {
                LOG.warn("{} threw {}", site, t.getClass().getName());
                started.end(t);
                return false;
            }
            started.end(Outcome.succeeded());
            return true;
        }

        /** No instrumentation is called on the thread that rings the limits. */
        private void expire() {
            expired = true;
            running.abandon();
            if (call != InstrumentedCall.NONE) {
                threads.start("end of " + site, () -> call.end(Outcome.timedOut()));
            }
        }
    }

    private final class Work<T extends @Nullable Object> implements Runnable {

        private final CallSite site;
        private final InstrumentedCall call;
        private final Callable<T> work;
        private final Thread waiter;

        /** Who comes first, the thread to do the work or the waiter to give it up, sets it. */
        private final AtomicBoolean taken = new AtomicBoolean();

        /** Set before the work is taken; null once it is over. */
        private @Nullable Thread thread;

        private @Nullable T value;
        private @Nullable Throwable thrown;
        private volatile boolean done;
        private volatile boolean expired;

        private Work(CallSite site, InstrumentedCall call, Callable<T> work, Thread waiter) {
            this.site = site;
            this.call = call;
            this.work = work;
            this.waiter = waiter;
        }

        @Override
        @SuppressWarnings("CatchingUnchecked") // whatever a tool throws, the waiter must hear of it
        public void run() {
            thread = Thread.currentThread();
            if (!taken.compareAndSet(false, true)) {
                return; // given up before it began: a cancelled run starts nothing any more
            }
            try (CallerContext.Opened callers = context.open();
                    CallerContext.Opened current = call.open()) {
                value = work.call();
            } catch (Throwable t) {
                thrown = Thrown.printable(t);
            }
            leaveThread();
            done = true;
            wake();
            abandoned.remove(this);
        }

        /** Wait, within its limits, whether interrupted or not: who waits for a run looks at its interrupt itself. */
        private void await(Cancellation cancellation) {
            boolean interrupted = false;
            while (!done && !expired && !cancellation.isCancelled()) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** From now on the thread may do other work, which is not to be interrupted. */
        private synchronized void leaveThread() {
            thread = null;
        }

        private synchronized void interrupt() {
            Thread running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        private void abandon() {
            if (taken.compareAndSet(false, true)) {
                return;
            }
            abandoned.add(this);
            interrupt();
            if (done) {
                abandoned.remove(this);
            }
        }

        private void expire() {
            expired = true;
            wake();
        }

        private void wake() {
            LockSupport.unpark(waiter);
        }

        /** Return the result, or give the work up. */
        private T ended(Cancellation cancellation) throws TimedOutException, ThrewException {
            if (done) {
                call.end(InstrumentedCall.outcome(thrown, cancellation));
                return result();
            }
            abandon();
            cancellation.check();
            call.end(Outcome.timedOut());
            throw new TimedOutException(site.toString());
        }

        @SuppressWarnings("NullAway") // null only where T allows it
        private T result() throws ThrewException {
            Throwable failure = thrown;
            if (failure != null) {
                throw new ThrewException(failure);
            }
            return value;
        }
    }
}
