package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rejects the null of a caller whose build does not look for it, and input without content, before they do harm far from their cause. */
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
            throw isNull(what);
        }
        return value;
    }

    /** Return the options of a run of an agent, which are not null. */
    public static <T> Consumer<T> options(String agent, @Nullable Consumer<T> options) {
        return value("Agent '" + agent + "': the options of a run", options);
    }

    private static ConfigurationException isNull(String what) {
        return new ConfigurationException(what + " must not be null; leave the call out to keep the default.");
    }

    /**
     * Return a copy of a list.
     *
     * @param what names it in the error
     * @throws ConfigurationException if it is null, or has a null
     */
    public static <T> List<T> elements(String what, @Nullable List<? extends @Nullable T> values) {
        List<T> copy = new ArrayList<>();
        if (values == null) {
            throw isNull(what);
        }
        for (@Nullable T each : values) {
            if (each == null) {
                throw new ConfigurationException(what + ": element " + (copy.size() + 1) + " must not be null.");
            }
            copy.add(each);
        }
        return List.copyOf(copy);
    }

    /**
     * Return an array as a list.
     *
     * @param what names it in the error
     * @throws ConfigurationException if it is null, or has a null
     */
    public static <T> List<T> array(String what, @Nullable T @Nullable [] values) {
        return elements(what, values == null ? null : Arrays.asList(values));
    }

    /**
     * Return the messages of an input, checked. A message of the user needs content, which may be an image alone.
     *
     * @throws ConfigurationException if they are null, have a null among them, or a message of the user with nothing but blank texts
     */
    public static List<Message> input(String agentId, @Nullable List<? extends @Nullable Message> input) {
        if (input == null || hasNull(input)) {
            throw nullInput(agentId);
        }
        List<Message> messages = List.copyOf(input);
        requireContent("Agent '" + agentId + "': message ", " of the input", messages);
        return messages;
    }

    /**
     * Return the input of a run that is one text, checked.
     *
     * @throws ConfigurationException if it is null or blank
     */
    public static List<Message> prompt(String agentId, @Nullable String prompt) {
        if (prompt == null) {
            throw nullInput(agentId);
        }
        if (prompt.isBlank()) {
            throw new ConfigurationException("Agent '" + agentId + "': the prompt is blank. Pass a text that says what"
                    + " the agent is to do; an image without a text is passed in a list of messages.");
        }
        return List.of(Message.user(prompt));
    }

    /**
     * Return a text of the user for a run that exists, as a message.
     *
     * @param what names it in the error
     * @throws ConfigurationException if it is null or blank
     */
    public static Message said(String what, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw new ConfigurationException(
                    what + " must not be " + (text == null ? "null" : "blank") + "; pass what the user says.");
        }
        return Message.user(text);
    }

    /**
     * Reject messages of the user without content.
     *
     * @param before stands before the number of the message in the error, from 1
     * @param after stands after it
     * @throws ConfigurationException if one has nothing but blank texts
     */
    public static void requireContent(String before, String after, List<Message> messages) {
        for (int i = 0; i < messages.size(); i++) {
            if (isEmpty(messages.get(i))) {
                throw new ConfigurationException(before + (i + 1) + after + " is a message of the user without content:"
                        + " it has no part, or blank texts only. Give it a text or an image, or leave it out.");
            }
        }
    }

    /** Return whether a list, which may reject a search for it, has a null in it. */
    public static boolean hasNull(List<? extends @Nullable Object> list) {
        for (Object each : list) {
            if (each == null) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEmpty(Message message) {
        if (message.role() != Role.USER) {
            return false;
        }
        for (Part part : message.parts()) {
            if (!(part instanceof Part.Text text) || !text.text().isBlank()) {
                return false;
            }
        }
        return true;
    }

    private static ConfigurationException nullInput(String agentId) {
        return new ConfigurationException("Agent '" + agentId
                + "': the input of a run must not be null, nor hold a null; pass a text, or a list of messages.");
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
