package dev.chargehand.event;

import dev.chargehand.annotation.Experimental;
import java.util.Iterator;
import java.util.Optional;

/**
 * A reader of the events of several root runs, past and future, which any processes execute: those of a thread, or background tasks.
 *
 * <p>Each run is read as a {@link RunWatch} reads it: every event that has an id arrives exactly once, the events of one run in the
 * order of their ids. First come the runs that are stored, in the order of their start, then what happens. The events of runs that
 * are executed at the same time alternate in any order; all events of a run precede those of a run that was stored after its end.
 *
 * <p>It never slows the runs, and closing it does nothing to them. It has threads of its own while it is used, so it must be closed.
 *
 * <p>The events do not end when the runs do: another run may follow. They end if the reader or the runtime is closed, or the
 * reading thread is interrupted, which stays set. Used by one thread, but for {@link #close()}.
 */
@Experimental
public interface RunsWatch extends Iterable<RunEvent>, AutoCloseable {

    /**
     * Return the place after the last event that was taken, with which another reader of the same runs can continue in any process;
     * the place at which this one was opened if none was taken, and empty if that is the first event.
     */
    Optional<RunsCursor> cursor();

    /**
     * Return the events; all iterators continue the same sequence.
     *
     * <p>The iterator throws a {@link dev.chargehand.error.StoreException} if the store cannot be read; it can then
     * be used again.
     */
    @Override
    Iterator<RunEvent> iterator();

    /** Stop reading; a thread that waits for an event gets none. */
    @Override
    void close();
}
