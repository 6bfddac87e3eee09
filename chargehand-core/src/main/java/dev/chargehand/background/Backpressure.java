package dev.chargehand.background;

/** How a background delegation is handled when as many tasks run as may. */
public enum Backpressure {
    /** The task waits in the store until a place is free; with 1,000 waiting tasks of one run, it is rejected. */
    QUEUE,
    /** The call gets an error result, {@code task-rejected}, and the model continues. */
    REJECT,
    /** The call becomes a delegation in the foreground, for which the run waits. */
    FOREGROUND
}
