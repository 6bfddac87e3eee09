package dev.chargehand.internal.fact;

/** The decision of {@code onIterationComplete}. */
public enum HookDecision {
    /** To continue. */
    PROCEED,
    /** To end. */
    STOP
}
