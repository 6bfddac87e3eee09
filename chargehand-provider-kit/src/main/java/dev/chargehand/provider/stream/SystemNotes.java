package dev.chargehand.provider.stream;

/** Words of the system inside a conversation, for providers that accept instructions only at the start. */
public final class SystemNotes {

    private static final String NOTE = "system-note";

    /** What stands for messages that were cut off, where the first message must be the user's. */
    public static final String NOT_SHOWN = note("The earlier conversation is not shown.");

    private SystemNotes() {}

    /** Mark what is not the user's words, so that it cannot end its mark by itself. */
    public static String note(String text) {
        return "<" + NOTE + ">\n" + text.replace("</" + NOTE, "< /" + NOTE) + "\n</" + NOTE + ">";
    }
}
