package dev.chargehand;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.Iterator;
import java.util.concurrent.Flow;

/**
 * A run that is being watched.
 *
 * <p>It has one consumer: iterate over the events, or read {@link #textStream()}, or take {@link #publisher()}; a second
 * view throws {@link IllegalStateException}. A slow consumer slows the run and loses nothing; one that takes nothing
 * for {@link dev.chargehand.run.TimeLimit#CONSUMER} cancels it. Closing the stream cancels a run that has not ended.
 */
public interface RunStream extends Iterable<RunEvent>, AutoCloseable {

    /** Returns the run's id. */
    RunId runId();

    /**
     * Returns the events of the run and of all its nested runs, as they happen; the last is the root's run-finish.
     *
     * <p>An interrupt of the thread that waits cancels the run; the iteration then goes on to its end.
     */
    @Override
    Iterator<RunEvent> iterator();

    /**
     * Returns the text of the root agent as it arrives, drafts and earlier steps included; {@link #result()} has the
     * answer. A reader of text cannot take back what it read, so a stream that breaks in the middle of an answer is
     * not tried again but ends with the failure.
     */
    Iterable<String> textStream();

    /** Returns the events as a publisher for one subscriber, which is called on a thread of its own. */
    Flow.Publisher<RunEvent> publisher();

    /**
     * Waits for the end of the run and returns its result; events that nobody reads are thrown away; the
     * subscriber of a {@link #publisher()} goes on reading.
     *
     * @throws RunFailedException if the run failed
     */
    RunResult result();

    /** Cancels the run: it ends at once, as aborted. Harmless if it has ended. */
    void cancel();

    /** Cancels the run if it has not ended, and waits until it has. */
    @Override
    void close();
}
