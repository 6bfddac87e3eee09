package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** A database that answers calls, each in a transaction of its own or, if documented, together with others. */
interface Database extends AutoCloseable {

    /** Return how messages call it; without a password. */
    String name();

    Dialect dialect();

    /** Return how vectors are kept. */
    default VectorForm vectors() {
        return VectorForm.BYTES;
    }

    /** Return how long a caller waits for its answer. */
    Duration callLimit();

    /** Return how long a run keeps its thread after its process left it. */
    Duration threadGrace();

    /** Return the time from which leases of owners run. */
    Instant now(Session session);

    /** Return the time by which it is judged whether leases have run out. */
    Instant leaseTime(Session session);

    /** Return whether something may have been committed since the last call, by any process; one thread at a time. */
    boolean hasChanged(Session session);

    /** Let other processes notice, once the transaction is committed, that there is something for them to do. */
    void announce(Session session);

    /** Call an action when another process announces something, until the database is closed. */
    void onAnnouncement(Runnable action);

    /**
     * Take a call that changes something.
     *
     * @param deadline the moment of {@link System#nanoTime()} at which the caller goes away
     */
    CallQueue.Put write(Call<?> call, long deadline);

    /** Take a call that reads one state of the store. */
    CallQueue.Put read(Call<?> call, long deadline);

    /**
     * Return what removes deleted data from files that only copy the newest changes, outside of transactions; empty if there
     * are none.
     */
    default Optional<Consumer<Session>> removal() {
        return Optional.empty();
    }

    /** What happened to a store that is called after its end. */
    String CLOSED =
            "is closed, perhaps with a runtime that it was given to: a runtime closes its store. Open one for each runtime";

    /** Make the exception for a call after the end. */
    StoreException closed();

    /** Return what to look at when a call gets no answer in time. */
    String whySlow();

    /** Finish started calls, at most for {@link #callLimit()}. */
    @Override
    void close();
}
