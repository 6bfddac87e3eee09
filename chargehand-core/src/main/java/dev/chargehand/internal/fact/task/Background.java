package dev.chargehand.internal.fact.task;

import dev.chargehand.run.RunId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has to do with background tasks.
 *
 * @param origin where the run comes from, if it is a task, or null
 * @param untilIdle the first run of the until-idle call that the run is a turn of, itself perhaps, or null; also of a run whose tasks
 *     start turns by themselves
 * @param anyProcess whether the turns that follow belong to no process: no caller waits for them, and the process that started the first
 *     one leaves its tasks to others
 * @param results the results of tasks that it gives to its model first
 */
public record Background(
        @Nullable TaskOrigin origin, @Nullable RunId untilIdle, boolean anyProcess, List<TaskResult> results) {

    /** Nothing. */
    public static final Background NONE = new Background(null, null, false, List.of());

    public Background {
        results = List.copyOf(results);
    }

    /** Return that of a task. */
    public static Background of(TaskOrigin origin) {
        return new Background(origin, null, false, List.of());
    }

    /** Return that of a turn of an until-idle call. */
    public static Background untilIdle(RunId first) {
        return new Background(null, first, false, List.of());
    }

    /**
     * Return that of a first run whose tasks start turns, and for which no caller waits.
     *
     * @param anyProcess whether its process leaves its tasks to others
     */
    public static Background continuing(RunId first, boolean anyProcess) {
        return new Background(null, first, anyProcess, List.of());
    }

    /** Return that of the turn that follows. */
    public Background ofNextTurn() {
        return new Background(null, untilIdle, anyProcess, List.of());
    }

    /** Return the first run of the until-idle call that the run is a turn of, or a task of one; null for another run. */
    public @Nullable RunId firstTurn() {
        return origin == null ? untilIdle : origin.untilIdle();
    }

    /** Return this with other results. */
    public Background with(List<TaskResult> values) {
        return values.equals(results) ? this : new Background(origin, untilIdle, anyProcess, values);
    }
}
