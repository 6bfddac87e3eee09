package dev.chargehand.provider.connection;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers the deltas of an answer and passes them on together before the thread may have to wait for more: the deltas of
 * one read of the network are one batch, and no delta waits for a later one. Used by the thread that made it; other
 * threads find nothing to pass on.
 *
 * <p>An answer of thousands of deltas whose events are read costs less than half so ({@code bench/run users delta}, see
 * ADR 0071).
 */
final class GatheredDeltas implements ModelCall {

    /** A compressed body may become very many deltas in one read. */
    private static final int MOST = 64;

    private final Thread reader = Thread.currentThread();
    private final ModelCall call;
    private List<ModelDelta> gathered = new ArrayList<>();

    GatheredDeltas(ModelCall call) {
        this.call = call;
    }

    @Override
    public void delta(ModelDelta delta) {
        gathered.add(delta);
        if (gathered.size() == MOST) {
            passOn();
        }
    }

    /** Pass on all that is gathered. A connection that went back to its pool may ask for this on another thread. */
    void passOn() {
        if (Thread.currentThread() == reader && !gathered.isEmpty()) {
            List<ModelDelta> batch = gathered;
            gathered = new ArrayList<>();
            call.deltas(batch);
        }
    }

    /** Pass on all that is gathered: no more follows. */
    void passLast() {
        if (!gathered.isEmpty()) {
            call.lastDeltas(gathered);
        }
    }

    @Override
    public void onCancel(Runnable close) {
        call.onCancel(close);
    }

    @Override
    public Duration connectTimeout() {
        return call.connectTimeout();
    }
}
