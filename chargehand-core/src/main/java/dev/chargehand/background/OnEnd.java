package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;

/** What follows the end of a background task whose run has ended. */
@Experimental
public enum OnEnd {
    /** Nothing: the result is in the thread, and the next turn of the conversation gives it to the model. */
    WAIT,
    /** A turn of its own: a run on the thread without an input, whose model reads all results that have arrived. */
    CONTINUE
}
