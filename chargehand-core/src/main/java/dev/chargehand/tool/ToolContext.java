package dev.chargehand.tool;

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

    /** Returns the id of the call, unique over all runs. */
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
     * Emits a {@code data-<name>} event into the run's stream.
     *
     * @param name kebab-case
     * @param value any value that has a JSON form
     */
    void emit(String name, @Nullable Object value);
}
