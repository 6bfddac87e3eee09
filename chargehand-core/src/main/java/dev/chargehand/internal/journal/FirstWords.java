package dev.chargehand.internal.journal;

import dev.chargehand.internal.text.OneLine;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadOwner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first title of a conversation: the first words of its user, as they are stored in the thread, so that the processors of
 * the input have seen them before.
 */
public final class FirstWords {

    /** How many characters they have at most. */
    private static final int MOST = 80;

    private FirstWords() {}

    /** Return the title that messages give to a thread without one; null if they give none, or the thread is not a conversation. */
    public static @Nullable String of(ThreadOwner owner, Stream<Message> messages) {
        return owner.agentPath() != null
                ? null
                : messages.filter(message -> message.role() == Role.USER && !message.internal())
                        .map(message -> OneLine.of(message.text(), MOST))
                        .filter(words -> !words.isEmpty())
                        .findFirst()
                        .orElse(null);
    }
}
