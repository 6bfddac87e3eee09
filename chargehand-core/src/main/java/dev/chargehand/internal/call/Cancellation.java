package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Thrown;
import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a whole tree of runs now, or has this process let go of it.
 *
 * <p>The first reason to end wins. A tree is let go of in two parts: {@link #release}, from which on nothing new
 * starts, and {@link #abandon}, from which on nothing is waited for. Actions run once, on the thread that calls,
 * without a lock held; they never block and call no foreign code.
 */
public final class Cancellation {

    private static final Log LOG = Log.of(Cancellation.class);

    private final List<Entry> actions = new ArrayList<>(2); // mostly the time of a run and what it waits for
    private volatile @Nullable StopReason reason;
    private volatile boolean released;
    private volatile boolean abandoned;
    private volatile @Nullable Runnable safePoint;

    /** The same action may be registered more than once. */
    private final class Entry implements Registration {
        private final Runnable action;
        private final boolean waits;

        private Entry(Runnable action, boolean waits) {
            this.action = action;
            this.waits = waits;
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    /** Undoes a registration. */
    @FunctionalInterface
    public interface Registration {

        /** Forget the action. */
        void close();
    }

    /**
     * Return a cancellation for a part of the tree, which ends with the tree or before it.
     *
     * @param parts collects what undoes the tie to this one, for when the part is over
     */
    public Cancellation part(Collection<Registration> parts) {
        Cancellation part = new Cancellation();
        part.safePoint = safePoint;
        parts.add(onCancel(() -> {
            StopReason why = reason;
            if (why != null) {
                part.cancel(why);
            } else {
                part.abandon();
            }
        }));
        parts.add(onRelease(part::release));
        return part;
    }

    /**
     * End the runs.
     *
     * @return whether this call was the first
     */
    public boolean cancel(StopReason why) {
        List<Entry> toRun;
        synchronized (actions) {
            if (isCancelled()) {
                return false;
            }
            reason = why;
            toRun = new ArrayList<>(actions);
            actions.clear();
        }
        toRun.forEach(entry -> run(entry.action));
        return true;
    }

    /** Run an action; what it throws keeps no other from running, and does not reach who cancels. */
    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.error("An action of a cancellation failed: {}", Thrown.describe(e));
        }
    }

    /** Let the runs start nothing new; what is in flight ends by itself, and waits end at once. */
    public void release() {
        List<Entry> toRun;
        synchronized (actions) {
            released = true;
            toRun = actions.stream().filter(entry -> entry.waits).toList();
            actions.removeAll(toRun);
        }
        toRun.forEach(entry -> run(entry.action));
    }

    /** Let the runs wait for nothing any more, without a reason to end: what they have stored is where they stand. */
    public void abandon() {
        List<Entry> toRun;
        synchronized (actions) {
            if (isCancelled()) {
                return;
            }
            released = true;
            abandoned = true;
            toRun = new ArrayList<>(actions);
            actions.clear();
        }
        toRun.forEach(entry -> run(entry.action));
    }

    /** Register what ends a call in flight; runs it at once if the runs are to end, or were abandoned, already. */
    public Registration onCancel(Runnable action) {
        return register(action, false);
    }

    /** Register what ends a wait for something that need not come; runs it also when the runs are released. */
    public Registration onRelease(Runnable action) {
        return register(action, true);
    }

    private Registration register(Runnable action, boolean waits) {
        Entry entry = new Entry(action, waits);
        synchronized (actions) {
            if (!isCancelled() && !(waits && released)) {
                actions.add(entry);
                return entry;
            }
        }
        run(action);
        return () -> {};
    }

    private void remove(Entry entry) {
        synchronized (actions) {
            int at = actions.lastIndexOf(entry); // what ends first mostly began last
            if (at >= 0) {
                actions.remove(at);
            }
        }
    }

    /** Return whether nothing is waited for any more: the runs are to end, or were abandoned. */
    public boolean isCancelled() {
        return reason != null || abandoned;
    }

    /** Return whether nothing is waited for any more because the runs were abandoned. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Call something, which may release the runs, at every safe point of a run of the tree; before the tree starts. */
    public void atSafePoints(Runnable call) {
        safePoint = call;
    }

    /** Say that a run of the tree is at a safe point: it is stored, and about to start something new. */
    public void passSafePoint() {
        Runnable call = safePoint;
        if (call != null && !released) {
            call.run();
        }
    }

    /** Return whether nothing new may start because the runs are released. */
    public boolean isReleased() {
        return released;
    }

    /**
     * Continue only if the runs may.
     *
     * @throws RunInterruptedException if they are to end
     * @throws RunLeftException if they were abandoned
     */
    public void check() {
        StopReason why = reason;
        if (why != null) {
            throw new RunInterruptedException(why);
        }
        if (abandoned) {
            throw RunLeftException.released("");
        }
    }

    /**
     * Continue only if the runs may start something new.
     *
     * @throws RunInterruptedException if they are to end
     * @throws RunLeftException if they are released
     */
    public void admit() {
        check();
        if (released) {
            throw RunLeftException.released("");
        }
    }

    /** Return how many actions are registered, for tests that look for leaks. */
    int registered() {
        synchronized (actions) {
            return actions.size();
        }
    }
}
