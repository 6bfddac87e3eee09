package dev.chargehand.processor;

/**
 * What a processor does, as a function.
 *
 * @param <T> what it looks at
 */
@FunctionalInterface
public interface ProcessorFunction<T> {

    /**
     * Decides.
     *
     * @throws Exception if it cannot; the run then fails
     */
    Processed<T> process(ProcessorContext context, T value) throws Exception;
}
