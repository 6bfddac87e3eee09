package dev.chargehand.background;

import dev.chargehand.run.Limit;
import dev.chargehand.run.TimeLimit;

/** Why an until-idle call is over. */
public enum IdleReason {
    /** Its last turn has ended, and none of its background tasks is left. */
    DONE,
    /** Its last turn, or all tasks that are left, wait for an answer from outside; what waits for a time only is waited for. */
    SUSPENDED,
    /** Nothing has happened for {@link TimeLimit#QUIET}; what is left continues without the caller. */
    QUIET,
    /** Its last turn ended by a limit or its budget, or there were as many turns as {@link Limit#CONTINUATIONS} allows. */
    LIMIT,
    /**
     * The caller, or an interrupt of the thread that waited, has cancelled it; or what it was to continue was deleted: its thread, or a turn
     * whose tasks then end unread.
     */
    CANCELLED,
    /** Its last turn has failed. */
    FAILED
}
