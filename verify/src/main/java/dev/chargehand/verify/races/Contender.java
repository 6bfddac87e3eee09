package dev.chargehand.verify.races;

/**
 * One of several concurrent actors.
 *
 * @param deed what it does
 * @param slot which of the approvals it answers, from 0
 * @param place where it does it: 0 and 1 are runtimes of this process, 2 is one of another process
 * @param delayMicros how long it waits first
 * @param approver in whose name it answers
 * @param data what it gives, if it does
 */
record Contender(Deed deed, int slot, int place, int delayMicros, String approver, int data) {

    /** What a contender does. */
    enum Deed {
        /** Approves. */
        APPROVE,
        /** Gives the data that was asked for. */
        GIVE,
        /** Declines. */
        DECLINE,
        /** Cancels the run. */
        CANCEL,
        /** Resumes all abandoned or expired runs. */
        RECOVER,
        /** Ends the sleep of the run. */
        WAKE
    }

    /** Return whether it sends the same decision as another: then both calls may return that it was taken. */
    boolean decidesLike(Contender other) {
        return deed == other.deed
                && slot == other.slot
                && approver.equals(other.approver)
                && (deed != Deed.GIVE || data == other.data);
    }

    boolean answers() {
        return deed == Deed.APPROVE || deed == Deed.GIVE || deed == Deed.DECLINE;
    }
}
