package dev.chargehand.verify.cancel;

/** What the innermost agent is doing when the run is cancelled. */
enum Moment {
    /** Its model was called and has not answered with so much as a head. */
    HEAD,
    /** The head of the answer exists, and no token. */
    FIRST_TOKEN,
    /** Tokens are arriving. */
    MID_STREAM,
    /** A tool is running that ignores the interrupt. */
    TOOL,
    /** A guard is running that ignores the interrupt. */
    GUARD,
    /** {@code prepareStep} is running and ignores the interrupt. */
    PREPARE_STEP,
    /** {@code onIterationComplete} is running and ignores the interrupt. */
    ITERATION_HOOK,
    /** {@code onStepFinish} is running and ignores the interrupt. */
    STEP_HOOK,
    /** A scorer is running that ignores the interrupt. */
    SCORER,
    /** A processor looks at the result and ignores the interrupt. */
    PROCESSOR;

    /** Return whether the model is being waited for, so that there is a connection to close. */
    boolean isOnSocket() {
        return this == HEAD || this == FIRST_TOKEN || this == MID_STREAM;
    }
}
