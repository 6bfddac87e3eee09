package dev.chargehand.processor;

/**
 * Looks at the text of an answer while it arrives, in {@code generate} as in {@code stream}.
 *
 * <p>Blocked text is neither emitted nor stored.
 */
public interface OutputStreamProcessor extends Processor {

    /**
     * Start to look at a text: at the text of an answer, and apart from it at what the model shows of its reasoning;
     * anew for an answer that is made again. Keep per-text state in the returned processor.
     *
     * @throws Exception if it cannot; the run then fails
     */
    TextProcessor processOutputStream(ProcessorContext context) throws Exception;

    /** Starts to look at a text. */
    @FunctionalInterface
    interface Function {

        /** Start; see {@link #processOutputStream}. */
        TextProcessor begin(ProcessorContext context) throws Exception;
    }

    /** Make a processor of a function. */
    static OutputStreamProcessor of(String name, Function function) {
        return new OutputStreamProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public TextProcessor processOutputStream(ProcessorContext context) throws Exception {
                return function.begin(context);
            }
        };
    }
}
