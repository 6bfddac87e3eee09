package dev.chargehand.hook;

import dev.chargehand.message.Message;
import java.util.List;

/** The part of a conversation that a sub-agent is about to receive before the delegation prompt. */
public interface MessageFilterContext extends DelegationContext {

    /** Return the messages that {@link SubAgentContext} selects. */
    @Override
    List<Message> messages();
}
