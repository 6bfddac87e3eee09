package dev.chargehand.internal.journal;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.journal.stored.StoredMessage;
import dev.chargehand.message.Message;

/** Writes the messages of a thread for a store and reads them back. */
public final class MessageCodec {

    private MessageCodec() {}

    /** Write a message. */
    public static String write(Message message) {
        return StoredJson.write(StoredMessage.of(message));
    }

    /**
     * Read a message.
     *
     * @throws StoreException {@code UNREADABLE} if the text is damaged
     */
    public static Message read(String text) {
        try {
            return StoredJson.read(text, StoredMessage.class).toMessage();
        } catch (RuntimeException e) { // of the JSON library, or of a value that rejects its parts
            throw new StoreException(StoreException.Kind.UNREADABLE, "A stored message is damaged.", e);
        }
    }
}
