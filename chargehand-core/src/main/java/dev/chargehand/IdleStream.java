package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run with its background tasks, and with the turns that their results start, as one stream of events.
 *
 * <pre>{@code
 * try (IdleStream conversation = supervisor.streamUntilIdle("Research solar roofs.", o -> o.thread("t1"))) {
 *     for (RunEvent event : conversation) {
 *         show(event);
 *     }
 *     System.out.println(conversation.result().text());
 * }
 * }</pre>
 *
 * <p>It has one consumer. A slow one slows the turn that is executed, as that of a {@link RunStream}, and never the tasks.
 */
@Experimental
public interface IdleStream extends Iterable<RunEvent>, AutoCloseable {

    /** Return the id of the first turn, which names the whole call. */
    RunId runId();

    /**
     * Return the events of the turns, each with those of its nested runs, and those that say how the background tasks stand; the
     * last one is {@link dev.chargehand.event.Idle}, unless the runtime is closed before. A turn ends with its own run-finish. All iterators continue the same sequence.
     *
     * <p>An interrupt of the thread that waits cancels the turn that is executed and ends the stream; the tasks continue.
     */
    @Override
    Iterator<RunEvent> iterator();

    /**
     * Wait until the call is over and return its result; unread events are discarded.
     *
     * @throws RunFailedException if a turn failed
     * @throws RunReleasedException if the runtime is closed before
     */
    IdleResult result();

    /** Cancel the turn that is executed or pending, and all tasks that have not ended. Harmless if the call is over. */
    void cancel();

    /**
     * Stop reading. The turn that is executed is cancelled, unless {@link RunOptions.Builder#onClose} lets it continue; the tasks
     * continue, and so does the conversation when they end, with the hooks of the agent and not those of the call.
     */
    @Override
    void close();

    /**
     * The result of an until-idle call: its turns and its background tasks. The framework makes it; an application reads it. Immutable.
     */
    @Experimental
    interface IdleResult {

        /** Return why the call is over. */
        IdleReason reason();

        /** Return the answer: the text of the last turn. */
        String text();

        /** Return the result of the structured output of the last turn; empty if none was requested. */
        Optional<ObjectResult> structured();

        /** Return the results of the turns, the first one first; never empty. */
        List<RunResult> turns();

        /** Return the background tasks of all turns as they stand, in the order in which they were started. */
        List<Task> tasks();

        /**
         * Return the tokens of all turns and of all attempts of the tasks, with those of all nested runs; of a task that has not
         * ended, with those of nested runs that have.
         */
        Usage totalUsage();

        /**
         * Return the tokens by agent id. Those of a task are under the agent or workflow that it was given to, with what its nested
         * runs used.
         */
        Map<String, Usage> usageByAgent();
    }
}
