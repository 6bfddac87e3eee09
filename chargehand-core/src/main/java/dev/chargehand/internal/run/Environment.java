package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.run.ContextPropagator;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.TimeSource;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * What every run of a runtime uses.
 *
 * @param store where runs and threads are kept; every call of it is bounded
 * @param models makes models of names
 * @param time the clock of every limit
 * @param ids mints ids
 * @param jitter spreads retries, 0 to 1
 * @param callouts calls code that is not ours
 * @param redactor takes secrets out of what leaves
 * @param listeners hear every event of every run
 * @param propagators carry what callers have on their threads
 * @param threads the queues of those that want a thread
 * @param ownership of the runs of this runtime
 */
public record Environment(
        Store store,
        Models models,
        TimeSource time,
        IdSource ids,
        DoubleSupplier jitter,
        Callouts callouts,
        Redactor redactor,
        List<RunListener> listeners,
        List<ContextPropagator> propagators,
        ThreadQueues threads,
        Ownership ownership) {

    public Environment {
        listeners = List.copyOf(listeners);
        propagators = List.copyOf(propagators);
    }

    /** Returns the name of this runtime in the store. */
    String owner() {
        return ownership.owner();
    }

    /** Makes the opening of a run, with what its agent remembers of its thread. */
    Opening opening(Agent agent, Fact.Started started) {
        return Opening.of(started, ThreadTail.read(store, started.thread(), agent.lastMessages()));
    }

    /** Reads a run back, with what its agent remembers of its thread. */
    Journal load(Agent agent, RunRecord record) {
        return Journal.load(store, record, started -> ThreadTail.read(store, started.thread(), agent.lastMessages()));
    }
}
