package dev.chargehand;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.Iterator;
import java.util.concurrent.Flow;

/**
 * A run with its events, as they happen.
 *
 * <pre>{@code
 * try (RunStream run = agent.stream("Hello")) {
 *     for (String text : run.textStream()) {
 *         System.out.print(text);
 *     }
 *     RunResult result = run.result();
 * }
 * }</pre>
 *
 * <p>It has one consumer: iterate over the events, or read {@link #textStream()} or {@link #objectStream()}, or take
 * {@link #publisher()}; a second view throws {@link dev.chargehand.error.ConfigurationException}. A slow consumer slows the run and loses
 * nothing; one that takes nothing for {@link dev.chargehand.run.TimeLimit#CONSUMER} cancels it. Closing the stream
 * cancels a run that has not ended, unless the option {@link RunOptions.Builder#onClose} lets it continue.
 *
 * <p>A call with an {@link RunOptions.Builder#idempotencyKey} that finds its run returns a stream of that: its events from
 * the first one on, and then those that follow, until it has ended or waits for an answer. Such a stream reads the run as
 * {@link AgentRuntime#watch} does: it never slows it, receives every event with an id, and has the whole text of a step in
 * place of deltas that it missed. The run does not depend on it: closing it, or an interrupt, ends the reading, and
 * only {@link #cancel()} cancels the run. A run that has to wait for its thread is read in the same way by the stream that
 * started it, whose close and interrupt cancel it as usual.
 */
public interface RunStream extends Iterable<RunEvent>, AutoCloseable {

    /** The effect on a run of closing its stream. */
    enum OnClose {
        /** The run is cancelled. */
        CANCEL,
        /** The run continues; {@link AgentRuntime#handle} opens a handle of it. */
        CONTINUE
    }

    /** Return the run's id. */
    RunId runId();

    /**
     * Return the events of the run and of all its nested runs, as they happen; the last is the root's run-finish.
     *
     * <p>An interrupt of the thread that waits cancels the run; the iteration then continues to its end.
     */
    @Override
    Iterator<RunEvent> iterator();

    /**
     * Return the text of the root agent as it arrives, drafts and earlier steps included; {@link #result()} has the
     * answer. A reader of text cannot take back what it read, so a stream that breaks in the middle of an answer is
     * not tried again. If the run failed or was released, the reading ends with the exception that {@link #result()}
     * throws, so that half an answer is not taken for a whole one. A run that was found by its key may replace the text of a step;
     * the reading then fails with code {@code text-replaced}, and {@link #result()} still has the answer.
     */
    Iterable<String> textStream();

    /**
     * Return the object of the root agent's structured output as it arrives: what there is of it, each time it has
     * grown noticeably, and at the end the object itself. Each is whole in itself: strings may be cut, arrays and
     * objects lack what has not arrived, so that what is read of a Java type may lack required parts. An answer that is
     * given again, after a broken connection or because it did not fit, starts anew. A text that is not JSON gives
     * nothing, and the last is not the object if the run has none; {@link #result()} states this. If the run failed or was
     * released, the reading ends with the exception that {@link #result()} throws.
     */
    Iterable<Json> objectStream();

    /** Return the events as a publisher for one subscriber, which is called on a thread of its own. */
    Flow.Publisher<RunEvent> publisher();

    /**
     * Wait for the end of the run and return its result; unread events are discarded; the
     * subscriber of a {@link #publisher()} continues reading.
     *
     * @throws RunFailedException if the run failed
     */
    RunResult result();

    /** Cancel the run: it ends at once, as aborted. Harmless if it has ended. */
    void cancel();

    /**
     * Cancel the run if it has not ended, and wait until it has; with {@link OnClose#CONTINUE}, only stop reading.
     * A subscriber that cancels its subscription closes the stream too, without waiting.
     */
    @Override
    void close();
}
