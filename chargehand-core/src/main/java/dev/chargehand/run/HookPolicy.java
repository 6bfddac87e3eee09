package dev.chargehand.run;

/** What the failure of a hook means. */
public enum HookPolicy {
    /** The run goes on as if the hook had said nothing. */
    CONTINUE,
    /** The call or delegation that the hook was asked about is refused, or waits for approval; the run goes on. */
    REFUSE,
    /** The run fails. */
    FAIL_RUN
}
