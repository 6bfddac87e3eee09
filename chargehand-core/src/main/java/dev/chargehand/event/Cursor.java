package dev.chargehand.event;

import dev.chargehand.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * The place of a reader among the events of a tree of runs, with which it can continue in any process.
 *
 * <p>{@link #toString()} returns it as a text that {@link #parse} reads. But for its version, the text has no meaning.
 *
 * @param root the root run
 * @param epoch the epoch of the root run in which the fact was stored that the event reports
 * @param id the last event that the reader has received
 */
public record Cursor(RunId root, long epoch, EventId id) {

    private static final String VERSION = "1.";

    /**
     * Read a cursor.
     *
     * @throws IllegalArgumentException if it is not one, or one of a later version
     */
    public static Cursor parse(String text) {
        int slot = text.lastIndexOf('.');
        int position = text.lastIndexOf('.', slot - 1);
        int epoch = text.lastIndexOf('.', position - 1);
        if (!text.startsWith(VERSION) || epoch <= VERSION.length()) {
            throw invalid(text, null);
        }
        try {
            return new Cursor(
                    new RunId(text.substring(VERSION.length(), epoch)),
                    Long.parseLong(text.substring(epoch + 1, position)),
                    new EventId(
                            Long.parseLong(text.substring(position + 1, slot)),
                            Integer.parseInt(text.substring(slot + 1))));
        } catch (IllegalArgumentException e) {
            throw invalid(text, e);
        }
    }

    private static IllegalArgumentException invalid(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + text + "' is not a cursor; use the text of a cursor that a reader of events has returned.",
                cause);
    }

    @Override
    public String toString() {
        return VERSION + root + "." + epoch + "." + id;
    }
}
