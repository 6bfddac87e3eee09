package dev.chargehand.internal.state;

/** What a run needs next. */
public enum Phase {
    /** A model's answer. */
    ASK,
    /** Calls to be opened and executed. */
    ACT,
    /** A decision about the step. */
    DECIDE,
    /** Nothing. */
    END
}
