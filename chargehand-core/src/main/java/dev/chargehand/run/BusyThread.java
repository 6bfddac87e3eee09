package dev.chargehand.run;

/** What becomes of a run whose thread another run is at work on. */
public enum BusyThread {
    /** It waits for its turn, in the order of arrival; its time limit counts from its arrival. */
    QUEUE,
    /** A run that would begin is refused with a {@link dev.chargehand.error.ThreadBusyException}; one that goes on waits. */
    REJECT
}
