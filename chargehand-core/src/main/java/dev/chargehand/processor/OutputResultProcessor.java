package dev.chargehand.processor;

/**
 * Looks at the answer that a run is about to end with: the last step's text, or that of a delegation that bailed.
 *
 * <p>What it lets pass is the result, and what the thread keeps. As a draft the text may have been told before, since
 * nobody knows of an answer that it is the last one until it is whole; an {@link OutputStreamProcessor} or an
 * {@link OutputStepProcessor} keeps it from being told.
 */
public interface OutputResultProcessor extends Processor {

    /**
     * Decides about an answer.
     *
     * @param text the answer, never blank
     * @throws Exception if it cannot; the run then fails
     */
    Processed<String> processOutputResult(ProcessorContext context, String text) throws Exception;

    /** Makes a processor of a function. */
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
