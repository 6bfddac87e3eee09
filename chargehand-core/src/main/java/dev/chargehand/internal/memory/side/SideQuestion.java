package dev.chargehand.internal.memory.side;

import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import java.time.Duration;
import java.util.List;

/**
 * A question to a model besides the conversation.
 *
 * @param instructions what it is to do
 * @param data what it is to do that with, between fences
 * @param limit how long it may take
 */
public record SideQuestion(
        ModelChoice model, String instructions, String data, ModelSettings settings, Duration limit) {

    ModelRequest request() {
        return new ModelRequest(
                List.of(Message.system(instructions), Message.user(data)), List.of(), ToolChoice.none(), settings);
    }

    /** Return this with less time. */
    public SideQuestion within(Duration less) {
        return less.compareTo(limit) < 0 ? new SideQuestion(model, instructions, data, settings, less) : this;
    }
}
