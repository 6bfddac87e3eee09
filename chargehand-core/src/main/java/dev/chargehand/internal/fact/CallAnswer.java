package dev.chargehand.internal.fact;

/** The kind of answer to a call that waited. */
public enum CallAnswer {
    /** To execute the call. */
    APPROVED,
    /** Not to execute it. */
    DECLINED,
    /** Data. */
    DATA,
    /** Nothing, until it was too late. */
    EXPIRED
}
