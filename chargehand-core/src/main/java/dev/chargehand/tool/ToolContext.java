package dev.chargehand.tool;

import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a tool may know of the call it serves. Thread-safe. */
public interface ToolContext {

    /** Returns the run that makes the call. */
    RunId runId();

    /** Returns the agent that makes the call. */
    AgentPath path();

    /** Returns the number of the step, from 1. */
    int step();

    /** Returns the id of the call, unique over all runs but a run and its forks. */
    String callId();

    /**
     * Returns a key that is the same whenever this very call is executed again, after a crash for example, and no other
     * call has; give it to whatever carries out the effect.
     */
    String idempotencyKey();

    /** Returns the values of the request. */
    RequestContext requestContext();

    /** Returns the conversation's id, if the run has one. */
    Optional<String> threadId();

    /** Returns the id of whom the conversation belongs to, if the run has one. */
    Optional<String> resourceId();

    /** Tells whether the call's result is no longer wanted; the thread is interrupted too. */
    boolean isCancelled();

    /**
     * Asks the application for data: once the handler has returned, the call waits, and the run is suspended when nothing
     * else is left to do.
     *
     * <p>When {@code resume} gives the data, perhaps days later and in another process, the handler is called again from
     * its beginning with the same arguments and idempotency key, and {@link #resumeData()} has the data. So ask for it
     * first: {@code if (context.resumeData().isEmpty()) return context.suspend(question);}
     *
     * @param payload what is asked, for whom it is asked; any value that has a JSON form
     * @return what the handler may return; what it returns is not looked at any more
     */
    @Nullable
    Object suspend(@Nullable Object payload);

    /** Returns the data that was asked for by {@link #suspend}, if this call has been given it. */
    Optional<Json> resumeData();

    /**
     * Returns the data that was asked for, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not have its form
     */
    default <T> Optional<T> resumeData(Class<T> type) {
        return resumeData().map(data -> data.as(type));
    }

    /**
     * Emits a {@code data-<name>} event into the run's stream.
     *
     * @param name kebab-case
     * @param value any value that has a JSON form
     */
    void emit(String name, @Nullable Object value);
}
