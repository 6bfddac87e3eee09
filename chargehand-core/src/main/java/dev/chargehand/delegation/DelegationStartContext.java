package dev.chargehand.delegation;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import java.util.List;

/**
 * A delegation that is about to begin.
 *
 * @param run the supervisor's run
 * @param step the number of the supervisor's step, from 1
 * @param callId our id of the call
 * @param agentId the sub-agent's id
 * @param key the sub-agent's key in its supervisor
 * @param prompt what the supervisor's model asks for; the arguments as JSON for a sub-agent with a typed input
 * @param arguments all that the model wrote
 * @param messages the supervisor's conversation so far, without instructions
 */
public record DelegationStartContext(
        RunInfo run,
        int step,
        String callId,
        String agentId,
        String key,
        String prompt,
        Json arguments,
        List<Message> messages) {

    public DelegationStartContext {
        messages = List.copyOf(messages);
    }
}
