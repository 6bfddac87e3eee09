package dev.chargehand.spi;

import dev.chargehand.store.RunRecord;

/**
 * Says who executes submitted runs, such as a queue or a workflow engine whose workers call {@code advance}.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface Placement {

    /**
     * Take note of a run that was stored by {@code submit}, before that returns. It is called once, for at most 10
     * seconds, and not if the process dies between the two; an exception is logged. So a placement looks for pending runs
     * itself from time to time, or a runtime with {@link dev.chargehand.Wakeups#all()} does.
     *
     * @param run as it is stored
     */
    void submitted(RunRecord run);
}
