package dev.chargehand.testkit.replay;

/** Reads ids: that of a message starts with the id of the run that it is of. */
final class RunIds {

    private RunIds() {}

    /** Return the id of the run that a message is of; empty if the message has none. */
    static String ofMessage(String messageId) {
        int dot = messageId.indexOf('.');
        return dot < 0 ? "" : messageId.substring(0, dot);
    }
}
