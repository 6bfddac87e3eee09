package dev.chargehand.server.internal.limit;

import dev.chargehand.RunHandle;
import dev.chargehand.server.internal.route.Held;

/**
 * The slot of a run that the server has started, which is free when the run has ended or waits for an answer. A request that waits for the result sees
 * that itself; a thread does so for others. Used by the thread of the request.
 */
public final class RunSlot implements Held.Releasable {

    private final RunHandle run;
    private final Runnable free;
    private boolean released;

    /** Make it; {@code free} is called once. */
    public RunSlot(RunHandle run, Runnable free) {
        this.run = run;
        this.free = free;
    }

    /** Free it when the run has ended or waits for an answer. */
    public void follow() {
        Thread ignored = Thread.ofVirtual().name("chargehand-server-run").start(() -> {
            try {
                var unused = run.result();
            } catch (RuntimeException e) {
                // the run has failed, or is not executed here any more
            } finally {
                free.run();
            }
        });
    }

    /** Free it now if the run has ended, and follow the run otherwise. */
    @Override
    public void release() {
        if (released) {
            return;
        }
        released = true;
        if (hasEnded()) {
            free.run();
        } else {
            follow();
        }
    }

    private boolean hasEnded() {
        try {
            return run.status().isEnded();
        } catch (RuntimeException e) { // such as an outage of the store
            return false;
        }
    }
}
