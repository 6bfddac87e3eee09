package dev.chargehand.event;

import dev.chargehand.run.RunId;
import java.util.Iterator;
import java.util.Optional;

/**
 * A reader of the events of a run, past and future, which this or any other process executes.
 *
 * <p>It receives every event that has an id exactly once, in the order of the ids: first what is stored, then what
 * happens. Provisional events, such as deltas, arrive from a run that this process executes, from the start of its next
 * step on; of other steps it receives the start, the reasoning and the text as a whole when the answer is stored.
 *
 * <p>It never slows the run, and closing it does nothing to the run. A reader that falls behind is given what is stored,
 * after a {@link RunEvent.StreamResumed}, in place of the deltas that it missed.
 *
 * <p>The events end after the {@code run-finish} of the root run, or if the run is deleted, the reader or the runtime is
 * closed, or the reading thread is interrupted, which stays set. They do not end with {@code run-suspend}: a reader may
 * stop there. Used by one thread, but for {@link #close()}.
 */
public interface RunWatch extends Iterable<RunEvent>, AutoCloseable {

    /** Return the root run. */
    RunId runId();

    /**
     * Return the place after the last event that was taken, with which another reader can continue; the place at which
     * this one was opened if none was taken, and empty if that is the first event.
     */
    Optional<Cursor> cursor();

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
