package dev.chargehand;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.Iterator;
import java.util.concurrent.Flow;

/**
 * A run that is being watched.
 *
 * <p>It has one consumer: iterate over the events, or read {@link #textStream()} or {@link #objectStream()}, or take {@link #publisher()}; a second
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

    /**
     * Returns the object of the root agent's structured output as it arrives: what there is of it, each time it has grown
     * noticeably, and at the end the object itself. Each is whole in itself: strings may be cut, arrays and objects lack
     * what has not arrived, so that what is read of a Java type may lack required parts. An answer that is given again, after
     * a broken connection or because it did not fit, begins anew. Nothing is told of a text that is no JSON, and the last is
     * not the object if the run has none; {@link #result()} says so.
     */
    Iterable<Json> objectStream();

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
