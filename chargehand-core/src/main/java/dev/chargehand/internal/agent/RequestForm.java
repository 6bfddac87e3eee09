package dev.chargehand.internal.agent;

import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the request of a step in the way of a kind of run. */
@FunctionalInterface
public interface RequestForm {

    /**
     * Write a request.
     *
     * @param conversation the conversation as processors and the plan of the step let it pass
     * @param offered the names of the tools that may be called, or null for all
     */
    ModelRequest write(
            List<Message> conversation, @Nullable List<String> offered, ToolChoice choice, ModelSettings settings);
}
