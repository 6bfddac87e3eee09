package dev.chargehand.verify.failure;

/** How a call fails. */
enum Fault {
    /** It throws and does nothing. */
    THROW,
    /** It does not return as long as the run continues, regardless of interrupts. */
    HANG,
    /** It takes its time. */
    SLOW,
    /** It does what it should and then throws. */
    THROW_AFTER,
    /** It returns something unrequested. */
    WRONG
}
