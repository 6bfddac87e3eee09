package dev.chargehand.processor;

/**
 * Looks at the answer that a run is about to end with: the last step's text, or that of a delegation that bailed.
 *
 * <p>The passed text is the result, and the message in the thread. The text may have been emitted before as a draft,
 * since only a complete answer is known to be the last one; an {@link OutputStreamProcessor} or an
 * {@link OutputStepProcessor} keeps it from being emitted.
 */
public interface OutputResultProcessor extends Processor {

    /**
     * Decide about an answer.
     *
     * @param text the answer, never blank
     * @throws Exception if it cannot; the run then fails
     */
    Processed<String> processOutputResult(ProcessorContext context, String text) throws Exception;

    /** Make a processor of a function. */
    static OutputResultProcessor of(String name, ProcessorFunction<String> function) {
        return new OutputResultProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Processed<String> processOutputResult(ProcessorContext context, String value) throws Exception {
                return function.process(context, value);
            }
        };
    }
}
