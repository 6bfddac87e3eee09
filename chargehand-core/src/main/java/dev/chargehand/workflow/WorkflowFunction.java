package dev.chargehand.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Makes one value of another between two steps: the function of a map, or the items of a foreach.
 *
 * @param <T> the type of the value it takes
 * @param <R> the type of the value it returns
 */
@FunctionalInterface
public interface WorkflowFunction<T, R extends @Nullable Object> {

    /**
     * Make the value. It must have no effects: after a crash it is called again.
     *
     * @throws Exception if it cannot; the run then fails
     */
    R apply(T value, WorkflowContext context) throws Exception;
}
