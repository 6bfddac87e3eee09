package dev.chargehand.internal.fact;

import java.util.Objects;

/**
 * The message of a conversation that was the answer to a call which waited for data.
 *
 * @param messageId the id of the message in the thread
 * @param spent what the model used that made data of it
 */
public record MessageSource(String messageId, Spending spent) {

    public MessageSource {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(spent, "spent");
    }
}
