package dev.chargehand.provider.stream;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A call that collects its deltas and is never cancelled. Used by one thread. */
final class Deltas implements ModelCall {

    private final List<ModelDelta> deltas = new ArrayList<>();

    @Override
    public void delta(ModelDelta delta) {
        deltas.add(delta);
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(10);
    }

    List<ModelDelta> deltas() {
        return List.copyOf(deltas);
    }
}
