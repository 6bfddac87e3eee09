package dev.chargehand.tool;

import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The context of a tool's call. Thread-safe. */
public interface ToolContext {

    /** Return the run that makes the call. */
    RunId runId();

    /** Return the agent that makes the call. */
    AgentPath path();

    /** Return the number of the step, from 1. */
    int step();

    /** Return the id of the call, unique over all runs but a run and its forks. */
    String callId();

    /**
     * Return a key that is the same whenever this very call is executed again, after a crash for example, and no other
     * call has; pass it to the system that executes the effect.
     */
    String idempotencyKey();

    /** Return the values of the request. */
    RequestContext requestContext();

    /** Return the tenant that the run belongs to. */
    String tenantId();

    /** Return the conversation's id, if the run has one. */
    Optional<String> threadId();

    /** Return the id of whom the data of the run belongs to, if it has one. */
    Optional<String> resourceId();

    /** Return whether the call's result is no longer wanted; the thread is interrupted too. */
    boolean isCancelled();

    /**
     * Ask the application for data: once the handler has returned, the call waits, and the run is suspended when
     * nothing else is left to do.
     *
     * <p>When {@code AgentRuntime.giveData} passes the data, perhaps days later and in another process, the handler is
     * called again from its start with the same arguments and idempotency key, and {@link #providedData()} has the
     * data. So ask for it first: {@code if (context.providedData().isEmpty()) return context.suspend(question);}
     *
     * @param payload the question for the application; any value that has a JSON form
     * @return what the handler may return; what it returns is not looked at any more
     */
    @Nullable
    Object suspend(@Nullable Object payload);

    /** Return the data that {@link #suspend} requested, if it has been provided. */
    Optional<Json> providedData();

    /**
     * Return the data that {@link #suspend} requested, read as a type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not have its form
     */
    default <T> Optional<T> providedData(Class<T> type) {
        return providedData().map(data -> data.as(type));
    }

    /**
     * Emit a {@code data-<name>} event into the run's stream.
     *
     * @param name kebab-case
     * @param value any value that has a JSON form
     */
    void emit(String name, @Nullable Object value);
}
