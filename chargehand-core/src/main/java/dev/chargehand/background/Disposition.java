package dev.chargehand.background;

/** Who decides whether a call is a background task. */
public enum Disposition {
    /** The model, call by call, with the field {@code background} of the arguments. */
    MODEL,
    /** Every call is a task. */
    ALWAYS,
    /** No call is a task, as of all callees that are not named. */
    NEVER
}
