package dev.chargehand.internal.fact;

import dev.chargehand.approval.WaitKind;

/** The kind of answer to a call that waited. */
public enum CallAnswer {
    /** To execute the call. */
    APPROVED,
    /** Not to execute it. */
    DECLINED,
    /** Data. */
    DATA,
    /** Nothing, until it was too late. */
    EXPIRED,
    /** None was needed: the time for which it waited has come. */
    DUE;

    /** Return what ends a wait whose time is over. */
    public static CallAnswer whenOver(WaitKind kind) {
        return kind == WaitKind.TIMER ? DUE : EXPIRED;
    }

    /**
     * The message of a conversation that was the answer.
     *
     * @param messageId the id of the message in the thread
     * @param spent what the model used that made data of it
     */
    public record FromMessage(String messageId, Spending spent) {

        public FromMessage {
            Parts.require(messageId, spent);
        }
    }
}
