package dev.chargehand.internal.fact.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has to do with background tasks.
 *
 * @param origin where the run comes from, if it is a task, or null
 * @param results the results of tasks that it gives to its model first
 */
public record Background(@Nullable TaskOrigin origin, List<TaskResult> results) {

    /** Nothing. */
    public static final Background NONE = new Background(null, List.of());

    public Background {
        results = List.copyOf(results);
    }

    /** Return that of a task. */
    public static Background of(TaskOrigin origin) {
        return new Background(origin, List.of());
    }

    /** Return this with other results. */
    public Background with(List<TaskResult> values) {
        return values.equals(results) ? this : new Background(origin, values);
    }
}
