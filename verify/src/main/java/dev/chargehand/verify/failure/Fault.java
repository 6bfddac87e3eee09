package dev.chargehand.verify.failure;

/** How a call fails. */
enum Fault {
    /** It throws and does nothing. */
    THROW,
    /** It does not return for as long as the run goes on, whatever interrupts it. */
    HANG,
    /** It takes its time. */
    SLOW,
    /** It does what it should and then throws. */
    THROW_AFTER,
    /** It gives something that nobody asked for. */
    WRONG
}
