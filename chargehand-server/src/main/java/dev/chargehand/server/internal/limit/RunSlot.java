package dev.chargehand.server.internal.limit;

import dev.chargehand.RunHandle;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.internal.route.Held;

/**
 * The slot of a run that the server has started, which is free when the run has ended or waits. A request that waits for the result sees
 * that itself; a thread does so for others. Used by the thread of the request.
 */
public final class RunSlot implements Held.Releasable {

    private final RunHandle run;
    private final Runnable free;

    /** Make it; {@code free} is called once. */
    public RunSlot(RunHandle run, Runnable free) {
        this.run = run;
        this.free = free;
    }

    /** Free it when the run is over. */
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

    /** Free it now if the run is over, and follow the run otherwise. */
    @Override
    public void release() {
        if (isOver()) {
            free.run();
        } else {
            follow();
        }
    }

    private boolean isOver() {
        try {
            RunStatus status = run.status();
            return status.isEnded() || status == RunStatus.SUSPENDED;
        } catch (RuntimeException e) { // such as an outage of the store
            return false;
        }
    }
}
