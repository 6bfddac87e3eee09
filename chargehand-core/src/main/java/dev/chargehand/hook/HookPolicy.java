package dev.chargehand.hook;

/** The effect of a failing hook. */
public enum HookPolicy {
    /** The run continues as if the hook had said nothing. */
    CONTINUE,
    /** The call or delegation that the hook was called about is rejected, or waits for approval; the run continues. */
    REFUSE,
    /** The run fails. */
    FAIL_RUN
}
