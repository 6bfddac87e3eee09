package dev.chargehand.processor;

/**
 * Looks at the text of an answer while it arrives, in {@code generate} as in {@code stream}.
 *
 * <p>What it does not let pass is neither told nor stored.
 */
public interface OutputStreamProcessor extends Processor {

    /**
     * Begins to look at a text: at the text of an answer, and apart from it at what the model shows of its reasoning;
     * anew for an answer that is made again. What it remembers of a text belongs into what it returns.
     *
     * @throws Exception if it cannot; the run then fails
     */
    TextProcessor processOutputStream(ProcessorContext context) throws Exception;

    /** Begins to look at a text. */
    @FunctionalInterface
    interface Function {

        /** Begins; see {@link #processOutputStream}. */
        TextProcessor begin(ProcessorContext context) throws Exception;
    }

    /** Makes a processor of a function. */
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
