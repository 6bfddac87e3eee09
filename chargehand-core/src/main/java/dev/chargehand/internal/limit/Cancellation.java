package dev.chargehand.internal.limit;

import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells a whole tree of runs to end now.
 *
 * <p>The first reason wins. Actions run once, on the thread that cancels, without a lock held.
 */
public final class Cancellation {

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Entry> actions = new LinkedHashSet<>();
    private volatile @Nullable StopReason reason;

    /** One registration; the same action may be registered more than once. */
    private static final class Entry {
        private final Runnable action;

        private Entry(Runnable action) {
            this.action = action;
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
        lock.lock();
        try {
            if (reason != null) {
                return false;
            }
            reason = why;
            toRun = new ArrayList<>(actions);
            actions.clear();
        } finally {
            lock.unlock();
        }
        toRun.forEach(entry -> entry.action.run());
        return true;
    }

    /** Registers what makes a wait end; runs it at once if the runs are to end already. */
    public Registration onCancel(Runnable action) {
        Entry entry = new Entry(action);
        lock.lock();
        try {
            if (reason == null) {
                actions.add(entry);
                return () -> remove(entry);
            }
        } finally {
            lock.unlock();
        }
        action.run();
        return () -> {};
    }

    private void remove(Entry entry) {
        lock.lock();
        try {
            actions.remove(entry);
        } finally {
            lock.unlock();
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
        lock.lock();
        try {
            return actions.size();
        } finally {
            lock.unlock();
        }
    }
}
