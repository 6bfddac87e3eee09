package dev.chargehand.verify.races;

/**
 * One of several concurrent actors.
 *
 * @param deed what it does
 * @param slot which of the approvals it answers, from 0
 * @param place where it does it: 0 and 1 are runtimes of this process, 2 is one of another process
 * @param delayMicros how long it waits first
 */
record Contender(Deed deed, int slot, int place, int delayMicros) {

    /** What a contender does. */
    enum Deed {
        /** Approves. */
        APPROVE,
        /** Declines. */
        DECLINE,
        /** Cancels the run. */
        CANCEL,
        /** Resumes all abandoned or expired runs. */
        RECOVER
    }

    boolean answers() {
        return deed == Deed.APPROVE || deed == Deed.DECLINE;
    }
}
