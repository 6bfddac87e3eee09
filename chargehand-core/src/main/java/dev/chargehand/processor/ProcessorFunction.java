package dev.chargehand.processor;

/**
 * A processor as a function.
 *
 * @param <T> what it looks at
 */
@FunctionalInterface
public interface ProcessorFunction<T> {

    /**
     * Decide.
     *
     * @throws Exception if it cannot; the run then fails
     */
    Processed<T> process(ProcessorContext context, T value) throws Exception;
}
