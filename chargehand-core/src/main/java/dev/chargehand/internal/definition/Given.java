package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rejects the null of a caller whose build does not look for it, before it does harm far from its cause. */
public final class Given {

    private Given() {}

    /**
     * Return a value.
     *
     * @param what names it in the error, such as {@code Option 'budget'}
     * @throws ConfigurationException if it is null
     */
    public static <T> T value(String what, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException(what + " must not be null; leave the call out to keep the default.");
        }
        return value;
    }

    /**
     * Return the input of a run, checked.
     *
     * @throws ConfigurationException if it is null or has a null in it
     */
    public static <T> List<T> input(String agentId, @Nullable List<@Nullable T> input) {
        if (input == null || input.stream().anyMatch(each -> each == null)) {
            throw new ConfigurationException("Agent '" + agentId + "': the input of a run must not be null, nor hold a"
                    + " null; pass a text, or a list of messages.");
        }
        return List.copyOf(input);
    }

    /**
     * Return the input of a run that is one text, checked.
     *
     * @throws ConfigurationException if it is null
     */
    public static List<Message> prompt(String agentId, @Nullable String prompt) {
        return List.of(
                Message.user(input(agentId, Collections.singletonList(prompt)).getFirst()));
    }

    /** Return the error of a network that is given where an agent is a part of something. */
    public static ConfigurationException isNetwork(String agentId) {
        return new ConfigurationException(
                "Agent '" + agentId + "' is given as a network, which is a form of its calls: a network"
                        + " can be started, but is not a part of an agent, a runtime, a fork or a workflow. Pass the agent itself.");
    }

    /** Return the error of a call of an agent that runs in a runtime, on an instance that is not bound to it. */
    public static ConfigurationException notHere(String agentId) {
        return new ConfigurationException("Agent '" + agentId
                + "' was given to a runtime, itself or as a sub-agent, but"
                + " this call is not made there and nothing of it would be stored. Call runtime.agent(\"" + agentId
                + "\") if it was given itself, or runtime.bind(agent), and run what that returns."
                + " AgentRuntime.shared().bind(agent) runs it without a store.");
    }
}
