package dev.chargehand.verify.cancel;

/** What the innermost agent is doing when the run is cancelled. */
enum Moment {
    /** Its model was asked and has not answered with so much as a head. */
    HEAD,
    /** The head of the answer is there, and no token. */
    FIRST_TOKEN,
    /** Tokens are arriving. */
    MID_STREAM,
    /** A tool is at work that ignores the interrupt. */
    TOOL,
    /** A guard is at work that ignores the interrupt. */
    GUARD,
    /** {@code prepareStep} is at work and ignores the interrupt. */
    PREPARE_STEP,
    /** {@code onIterationComplete} is at work and ignores the interrupt. */
    ITERATION_HOOK,
    /** {@code onStepFinish} is at work and ignores the interrupt. */
    STEP_HOOK,
    /** A scorer is at work that ignores the interrupt. */
    SCORER,
    /** A processor looks at the result and ignores the interrupt. */
    PROCESSOR;

    /** Tells whether the model is being waited for, so that there is a connection to close. */
    boolean isOnSocket() {
        return this == HEAD || this == FIRST_TOKEN || this == MID_STREAM;
    }
}
