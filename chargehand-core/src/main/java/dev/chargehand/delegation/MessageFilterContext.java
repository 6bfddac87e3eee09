package dev.chargehand.delegation;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import java.util.List;

/**
 * What a sub-agent is about to see of the conversation.
 *
 * @param run the supervisor's run
 * @param step the number of the supervisor's step, from 1
 * @param callId our id of the call
 * @param agentId the sub-agent's id
 * @param key the sub-agent's key in its supervisor
 * @param prompt the delegation prompt, which follows the messages
 * @param messages what {@link SubAgentContext} lets through
 */
public record MessageFilterContext(
        RunInfo run, int step, String callId, String agentId, String key, String prompt, List<Message> messages) {

    public MessageFilterContext {
        messages = List.copyOf(messages);
    }
}
