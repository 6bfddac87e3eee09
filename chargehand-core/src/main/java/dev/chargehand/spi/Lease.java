package dev.chargehand.spi;

import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;

/**
 * Decides under which names a runtime owns root runs, and which running runs it may take from other owners. The default
 * is the process: one name for all runs of a runtime, and a run may be taken when the process of its owner is dead.
 *
 * <p>For an engine that assigns runs to workers, attempt by attempt, and therefore knows better than the store which
 * attempt has ended. The runtime says in the store that each name is alive while it executes a run under it, so that the
 * run keeps its thread. {@link dev.chargehand.Wakeups#own()} wakes a suspended run for as long as its owner is the name
 * under which this runtime executed it last, and knows the last 10,000 of them.
 *
 * <p>Thread-safe. Each call may take 10 seconds. After that, or after an exception, a run whose owner was asked for is not
 * executed here, a run is not taken, and the other methods are logged and called again with the next turn.
 */
public interface Lease {

    /**
     * Return the name under which this runtime starts or claims a run now, never empty. The run keeps it until this
     * runtime has stopped to execute the run.
     */
    String owner(RunId run);

    /** Return whether a running run that another owner has may be claimed now; the writes of that owner then fail. */
    boolean mayTake(RunRecord run);

    /** Take note that a run is executed under a name: before it is claimed, and every 10 seconds from then on. */
    default void keep(String owner) {}

    /** Take note that no run is executed under a name any more. */
    default void end(String owner) {}
}
