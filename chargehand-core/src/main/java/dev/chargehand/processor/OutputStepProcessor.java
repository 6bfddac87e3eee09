package dev.chargehand.processor;

import dev.chargehand.model.ModelResponse;

/** Looks at the finished answer of a step, before it is stored and before one of its calls is executed. */
public interface OutputStepProcessor extends Processor {

    /**
     * Decide about an answer. Text, reasoning and calls may be rewritten; why the model stopped and what it used stay
     * as they are.
     *
     * @throws Exception if it cannot; the run then fails
     */
    Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse answer) throws Exception;

    /**
     * Return whether a text that arrives is withheld until this processor has seen the whole answer; default true, so
     * that blocked text is not emitted. If false, it is emitted at once, and a {@code tripwire} says that it
     * is void.
     */
    default boolean holdsBack() {
        return true;
    }

    /** Make a processor of a function. */
    static OutputStepProcessor of(String name, ProcessorFunction<ModelResponse> function) {
        return new OutputStepProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse value)
                    throws Exception {
                return function.process(context, value);
            }
        };
    }
}
