package dev.chargehand.model;

import java.time.Duration;
import java.util.List;

/**
 * The loop's side of one attempt at a model call.
 *
 * <p>Used by one thread, but for the actions given to {@link #onCancel}. After the call was cancelled or ran out of
 * time, deltas are dropped.
 */
public interface ModelCall {

    /** Report a delta; may block while the consumer of the run is slow, which is not charged to the call's limits. */
    void delta(ModelDelta delta);

    /**
     * Report deltas that arrived together, in their order; costs less than reporting one by one. A model does not keep
     * back a delta to wait for others. Default: {@link #delta} for each.
     *
     * @param deltas not changed any more
     */
    default void deltas(List<ModelDelta> deltas) {
        deltas.forEach(this::delta);
    }

    /**
     * Report the last deltas of an answer, which is returned right after them: readers may get them together with what
     * follows it. Default: {@link #deltas}.
     *
     * @param deltas not changed any more
     */
    default void lastDeltas(List<ModelDelta> deltas) {
        deltas(deltas);
    }

    /**
     * Register what closes the connection when the call is cancelled or out of time; runs at once if it already is.
     *
     * <p>Every action runs on a thread of its own and within 10 seconds, after which it is abandoned. One that blocks
     * or throws keeps no other from running, and does not reach the code that cancels.
     *
     * @param close quick and harmless to run more than once
     */
    void onCancel(Runnable close);

    /** Return how long opening a connection may take. */
    Duration connectTimeout();
}
