package dev.chargehand.processor;

import dev.chargehand.message.Message;
import java.util.List;

/**
 * Looks at what a run is asked for, once, before anything of the run is stored and before its model is asked.
 *
 * <p>What it lets pass is the run's input: what is stored, remembered and sent. A run begins when its input has passed;
 * one whose input trips is stored without it. Of a delegation it sees the prompt.
 */
public interface InputProcessor extends Processor {

    /**
     * Decides about the incoming messages.
     *
     * @param messages what the run is asked for, never empty; what is returned must not be either
     * @throws Exception if it cannot; the run then fails
     */
    Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) throws Exception;

    /** Makes a processor of a function. */
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
