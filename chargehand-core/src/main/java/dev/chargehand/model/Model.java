package dev.chargehand.model;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.JsonSchema;
import java.util.Set;

/**
 * A language model.
 *
 * <p>An implementation is thread-safe and serves any number of calls at once. It makes exactly one attempt: retries,
 * fallbacks and time limits are the loop's.
 */
public interface Model {

    /** Return the name under which usage and prices are kept, such as {@code openai/gpt-5}. */
    String name();

    /**
     * Ask the model, on the calling thread, until its answer is complete.
     *
     * <p>Deltas go to the call as they arrive. The answer is complete in itself: it does not need the deltas. An
     * implementation registers with {@link ModelCall#onCancel} everything that must be closed to make this method
     * return at once.
     *
     * @throws ModelException if the attempt failed; whether another may help is {@link ModelException#retryable()}
     * @throws InterruptedException if the calling thread was interrupted
     */
    ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException;

    /**
     * Return whether the model has a response format of its own for a schema, and make use of it when a request has the
     * schema for its {@link ModelRequest#output}; false by default, and then the messages of the request say in words
     * what the answer is to be.
     */
    default boolean hasFormatFor(JsonSchema schema) {
        return false;
    }

    /**
     * Return whether {@link #ask} returns as soon as the actions that it gave to {@link ModelCall#onCancel} have run,
     * also while it computes a key, resolves a name, connects, sends or reads. False by
     * default, and then every call has a thread of its own, which the loop gives up when time is up; true saves that
     * thread.
     *
     * <p>A model that returns true although some of its waits cannot be ended from outside can keep its run from
     * ending: leave it at false when in doubt.
     */
    default boolean returnsWhenClosed() {
        return false;
    }

    /**
     * Return whether calls of the model cost nothing, as those of a stand-in for tests; false by default. A run whose budget bounds the
     * cost needs {@link dev.chargehand.run.Prices} for all other models.
     */
    default boolean isFree() {
        return false;
    }

    /** Return secrets, such as keys, that must never show in an error, an event or a log; none by default. */
    default Set<String> secrets() {
        return Set.of();
    }
}
