package dev.chargehand.internal.engine;

import dev.chargehand.internal.engine.task.IdleCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run is started.
 *
 * @param waits whether the run waits here for its thread, as its options allow; else it fails if another one has it
 * @param streamed whether its caller reads its events
 * @param call the until-idle call of which it is the first turn, or null
 * @param beforeStart is given the run before its thread starts
 */
public record StartMode(
        boolean waits, boolean streamed, @Nullable IdleCall call, Consumer<LocalRun> beforeStart) {

    /** The run waits for its thread. */
    public static final StartMode QUEUED = new StartMode(true, false, null, StartMode::nothing);

    /** The same, and its caller reads its events. */
    public static final StartMode STREAMED = new StartMode(true, true, null, StartMode::nothing);

    /** The run fails if another one has its thread. */
    public static final StartMode AT_ONCE = new StartMode(false, false, null, StartMode::nothing);

    /** The same, and its caller reads its events. */
    public static final StartMode STREAMED_AT_ONCE = new StartMode(false, true, null, StartMode::nothing);

    /** Return that of the first turn of an until-idle call, which is open when the run is started. */
    public static StartMode untilIdle(IdleCall call) {
        return new StartMode(
                true, true, call, run -> call.turnStarts(run.stream())); // before it can end, and the next turn start
    }

    /** Return this mode for a caller that has a use for the run before its thread starts, in addition to others. */
    public StartMode before(Consumer<LocalRun> use) {
        return new StartMode(waits, streamed, call, beforeStart.andThen(use));
    }

    private static void nothing(LocalRun run) {}
}
