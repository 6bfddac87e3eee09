package dev.chargehand.hook;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import java.util.List;

/**
 * A call that a model asks for, of a tool or a sub-agent, before anything is done about it.
 *
 * @param run the run
 * @param step the number of the step, from 1
 * @param callId our id of the call
 * @param toolName the tool's name; {@code agent-<key>} for a sub-agent
 * @param arguments the arguments, validated
 * @param messages the conversation so far, without instructions
 */
public record ToolCallRequest(
        RunInfo run, int step, String callId, String toolName, Json arguments, List<Message> messages) {

    public ToolCallRequest {
        messages = List.copyOf(messages);
    }
}
