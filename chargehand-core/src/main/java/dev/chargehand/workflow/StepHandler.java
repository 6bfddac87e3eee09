package dev.chargehand.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of a step.
 *
 * @param <I> the type of the input
 * @param <O> the type of the output
 */
@FunctionalInterface
public interface StepHandler<I, O> {

    /**
     * Do the work, on a virtual thread of its own that is interrupted when the run is cancelled or the step's time
     * limit is reached.
     *
     * @param input the step's input, validated
     * @return a value that has a JSON form; null is JSON null, which the schema of the output must allow
     * @throws Exception if the step fails; it is tried again as its retries allow
     */
    @Nullable
    O handle(I input, WorkflowContext context) throws Exception;
}
