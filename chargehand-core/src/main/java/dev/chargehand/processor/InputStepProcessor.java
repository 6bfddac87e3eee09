package dev.chargehand.processor;

import dev.chargehand.message.Message;
import java.util.List;

/**
 * Looks at the conversation before each model call, ahead of {@code prepareStep}.
 *
 * <p>The model receives the passed messages in this step only: the stored conversation is unchanged.
 */
public interface InputStepProcessor extends Processor {

    /**
     * Decide about the conversation of a step.
     *
     * @param messages the conversation without instructions, as the model would see it
     * @throws Exception if it cannot; the run then fails
     */
    Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) throws Exception;

    /** Make a processor of a function. */
    static InputStepProcessor of(String name, ProcessorFunction<List<Message>> function) {
        return new InputStepProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> value)
                    throws Exception {
                return function.process(context, value);
            }
        };
    }
}
