package dev.chargehand.tool;

/** The handling of a call that was being executed when its process died, for a tool that is not repeatable. */
public enum InterruptedCallPolicy {
    /** The model receives that the call was interrupted and that its outcome is unknown. */
    REPORT,
    /** The call waits for a human, who knows or finds out what it did. */
    PARK
}
