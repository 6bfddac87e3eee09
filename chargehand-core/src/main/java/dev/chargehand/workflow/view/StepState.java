package dev.chargehand.workflow.view;

/** How far a step has come in a run. */
public enum StepState {

    /** It has not started. */
    NOT_REACHED,

    /** A condition left it out. */
    SKIPPED,

    /** It is executed, or a crash interrupted it. */
    RUNNING,

    /** It waits for an answer, for a time, or for its nested run, which waits. */
    WAITING,

    /** It has an output. */
    DONE,

    /** It has failed, or a cancel of its run interrupted it. */
    FAILED,

    /** It slept when the run ended. */
    STOPPED
}
