package dev.chargehand.run;

/** The handling of a run whose thread is in use. */
public enum BusyThreadPolicy {
    /** It waits for its turn, in the order of arrival; its time limit counts from its arrival. */
    QUEUE,
    /**
     * A run that would start is rejected with a {@link dev.chargehand.error.ThreadBusyException}; one that continues
     * waits.
     */
    REJECT
}
