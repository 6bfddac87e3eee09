package dev.chargehand.tool;

import org.jspecify.annotations.Nullable;

/**
 * Does a tool's work.
 *
 * @param <I> the type of the arguments
 */
@FunctionalInterface
public interface ToolHandler<I> {

    /**
     * Do the work, on a virtual thread of its own that is interrupted when the run is cancelled or the tool's time
     * limit is reached.
     *
     * @param input the arguments, validated
     * @return text, or any value that has a JSON form; null is a null result
     * @throws ToolFailureException to report the model what went wrong
     * @throws Exception anything else reaches the model only as an error id; the details go to logs and events
     */
    @Nullable
    Object handle(I input, ToolContext context) throws Exception;
}
