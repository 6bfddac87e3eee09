package dev.chargehand.event;

/**
 * Receives every event of a root run and of all its nested runs, in order.
 *
 * <p>Called by one thread of its own at a time per root run. A slow listener slows its own run; one that throws is
 * logged and continues being called; one that hangs longer than {@link dev.chargehand.run.TimeLimit#HOOK} is dropped
 * from that run. Its first fault in a run is also a {@link RunEvent.HookError}, unless the run is over or waits by then.
 */
@FunctionalInterface
public interface RunListener {

    /** Hear an event. */
    void onEvent(RunEvent event);
}
