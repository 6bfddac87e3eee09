package dev.chargehand.internal.fact;

import dev.chargehand.run.StopReason;

/** What reasons for the end of a run have in common. */
public final class StopReasons {

    private StopReasons() {}

    /** Return whether a run ends for a reason because its task is done. */
    public static boolean isByItself(StopReason reason) {
        return reason instanceof StopReason.Finished
                || reason instanceof StopReason.TaskComplete
                || reason instanceof StopReason.StopConditionMet;
    }
}
