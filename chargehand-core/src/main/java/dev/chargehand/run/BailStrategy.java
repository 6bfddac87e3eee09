package dev.chargehand.run;

/** Which delegation's text becomes the answer when several of one step bail. */
public enum BailStrategy {
    /** The first to bail, by time. */
    FIRST,
    /** The last to bail, by time. */
    LAST
}
