package dev.chargehand.processor;

import dev.chargehand.model.ModelAnswer;

/** Looks at the finished answer of a step, before it is stored and before one of its calls is executed. */
public interface OutputStepProcessor extends Processor {

    /**
     * Decides about an answer. Text, reasoning and calls may be rewritten; why the model stopped and what it used up stay
     * as they are.
     *
     * @throws Exception if it cannot; the run then fails
     */
    Processed<ModelAnswer> processOutputStep(ProcessorContext context, ModelAnswer answer) throws Exception;

    /**
     * Tells whether a text that arrives is held back until this processor has seen the whole answer; default true, so
     * that nothing is told that does not pass. If false, it is told at once, and a {@code tripwire} says that it is void.
     */
    default boolean holdsBack() {
        return true;
    }

    /** Makes a processor of a function. */
    static OutputStepProcessor of(String name, ProcessorFunction<ModelAnswer> function) {
        return new OutputStepProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Processed<ModelAnswer> processOutputStep(ProcessorContext context, ModelAnswer value)
                    throws Exception {
                return function.process(context, value);
            }
        };
    }
}
