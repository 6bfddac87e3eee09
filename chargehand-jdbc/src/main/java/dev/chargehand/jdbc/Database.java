package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** A database that answers calls, each in a transaction of its own or, where it says so, in one with others. */
interface Database extends AutoCloseable {

    /** Returns how messages call it; without a password. */
    String name();

    Dialect dialect();

    /** Returns how long a caller waits for its answer. */
    Duration callLimit();

    /** Returns the time from which leases of owners run. */
    Instant now(Handle handle);

    /** Returns the time by which it is judged whether leases have run out. */
    Instant leaseTime(Handle handle);

    /**
     * Takes a call that changes something.
     *
     * @param deadline the moment of {@link System#nanoTime()} at which the caller goes away
     */
    CallQueue.Put write(Call<?> call, long deadline);

    /** Takes a call that reads one state of the store. */
    CallQueue.Put read(Call<?> call, long deadline);

    /** Makes the exception for a call after the end. */
    StoreException closed();

    /** Returns what to look at when a call gets no answer in time. */
    String whySlow();

    /** Finishes what was begun, at most for {@link #callLimit()}. */
    @Override
    void close();
}
