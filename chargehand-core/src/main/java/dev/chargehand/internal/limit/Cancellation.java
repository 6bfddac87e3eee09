package dev.chargehand.internal.limit;

import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a whole tree of runs to end now.
 *
 * <p>The first reason wins. Actions run once, on the thread that cancels, without a lock held; they never block and call
 * no foreign code.
 */
public final class Cancellation {

    private static final Log LOG = Log.of(Cancellation.class);

    private final List<Entry> actions = new ArrayList<>(2); // mostly the time of a run and what it waits for
    private volatile @Nullable StopReason reason;

    /** The same action may be registered more than once. */
    private final class Entry implements Registration {
        private final Runnable action;

        private Entry(Runnable action) {
            this.action = action;
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    /** Undoes a registration. */
    @FunctionalInterface
    public interface Registration {

        /** Forgets the action. */
        void close();
    }

    /**
     * Returns a cancellation for a part of the tree, which ends with the tree or before it.
     *
     * @param parts collects what undoes the tie to this one, for when the part is over
     */
    public Cancellation part(Collection<Registration> parts) {
        Cancellation part = new Cancellation();
        parts.add(onCancel(() -> {
            StopReason why = reason;
            if (why != null) {
                part.cancel(why);
            }
        }));
        return part;
    }

    /**
     * Ends the runs.
     *
     * @return whether this call was the first
     */
    public boolean cancel(StopReason why) {
        List<Entry> toRun;
        synchronized (actions) {
            if (reason != null) {
                return false;
            }
            reason = why;
            toRun = new ArrayList<>(actions);
            actions.clear();
        }
        toRun.forEach(entry -> run(entry.action));
        return true;
    }

    /** Runs an action; what it throws keeps no other from running, and does not reach who cancels. */
    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.error("An action of a cancellation failed: {}", Thrown.describe(e));
        }
    }

    /** Registers what makes a wait end; runs it at once if the runs are to end already. */
    public Registration onCancel(Runnable action) {
        Entry entry = new Entry(action);
        synchronized (actions) {
            if (reason == null) {
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

    /** Tells whether the runs are to end. */
    public boolean isCancelled() {
        return reason != null;
    }

    /**
     * Goes on only if the runs may.
     *
     * @throws RunInterrupted if they are to end
     */
    public void check() {
        StopReason why = reason;
        if (why != null) {
            throw new RunInterrupted(why);
        }
    }

    /** Returns how many actions are registered, for tests that look for leaks. */
    int registered() {
        synchronized (actions) {
            return actions.size();
        }
    }
}
