package dev.chargehand.verify.spin;

/** What ends a run whose code computes without end. */
enum Ended {
    /** The time of its tool. */
    TOOL,
    /** The time of its hook, which computes instead of the tool. */
    HOOK,
    /** Its own time. */
    RUN,
    /** A cancel. */
    CANCEL
}
