package dev.chargehand.hook;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a supervisor's conversation that its sub-agents receive before the delegation prompt. System messages and
 * tool messages are never forwarded.
 *
 * @param mostMessages the most messages, the latest ones; null for all, 0 for none
 * @param filterInternalMessages whether feedback of hooks and scorers stays out; default true
 * @param filter which messages are forwarded at all, or null for all; it chooses before {@code mostMessages} counts,
 *     and one that throws rejects the delegation. It is code, so it is not stored with a run
 */
public record SubAgentContext(
        @Nullable Integer mostMessages,
        boolean filterInternalMessages,
        @Nullable Predicate<Message> filter) {

    private static final int LAST_MESSAGES = 20;

    private static final SubAgentContext FULL_HISTORY = new SubAgentContext(null, true, null);

    public SubAgentContext {
        if (mostMessages != null && mostMessages < 0) {
            throw new ConfigurationException(
                    "A sub-agent's context cannot have " + mostMessages + " messages; give 0 or more.");
        }
    }

    /** Return the context of everything that was said; the default. */
    public static SubAgentContext fullHistory() {
        return FULL_HISTORY;
    }

    /** Return the context of the delegation prompt alone. */
    public static SubAgentContext promptOnly() {
        return lastMessages(0);
    }

    /** Return the context of the latest 20 messages. */
    public static SubAgentContext lastMessages() {
        return lastMessages(LAST_MESSAGES);
    }

    /** Return the context of the latest messages. */
    public static SubAgentContext lastMessages(int count) {
        return new SubAgentContext(count, true, null);
    }

    /** Return this context with only those messages that a predicate accepts. */
    @CheckReturnValue
    public SubAgentContext withFilter(@Nullable Predicate<Message> predicate) {
        return new SubAgentContext(mostMessages, filterInternalMessages, predicate);
    }

    /** Return this context with or without the feedback of hooks and scorers. */
    @CheckReturnValue
    public SubAgentContext filterInternalMessages(boolean value) {
        return new SubAgentContext(mostMessages, value, filter);
    }
}
