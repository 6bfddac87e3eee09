package dev.chargehand.processor;

import dev.chargehand.message.Message;
import java.util.List;

/**
 * Processes the input of a run, once, before anything of the run is stored and before its model is called.
 *
 * <p>The passed messages are the run's input: they are stored, remembered and sent. A run starts when its input has
 * passed; a run whose input is blocked is stored without it. For a delegation the input is the prompt.
 */
public interface InputProcessor extends Processor {

    /**
     * Decide about the incoming messages.
     *
     * @param messages the input of the run, never empty; the returned messages must not be empty either
     * @throws Exception if it cannot; the run then fails
     */
    Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) throws Exception;

    /** Make a processor of a function. */
    static InputProcessor of(String name, ProcessorFunction<List<Message>> function) {
        return new InputProcessor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Processed<List<Message>> processInput(ProcessorContext context, List<Message> value)
                    throws Exception {
                return function.process(context, value);
            }
        };
    }
}
