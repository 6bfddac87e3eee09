package dev.chargehand.models;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The loop's side of a call: keeps the deltas, and cancels from another thread. */
public final class Recorder implements ModelCall {

    private final List<ModelDelta> deltas = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch registered = new CountDownLatch(1);
    private final Consumer<ModelDelta> sink;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private volatile Runnable close = () -> {};
    private volatile boolean cancelled;

    /** Keeps the deltas. */
    public Recorder() {
        this.sink = deltas::add;
    }

    /** Hands the deltas on and keeps none. */
    public Recorder(Consumer<ModelDelta> sink) {
        this.sink = sink;
    }

    public Recorder connectTimeout(Duration limit) {
        connectTimeout = limit;
        return this;
    }

    @Override
    public void delta(ModelDelta delta) {
        sink.accept(delta);
    }

    @Override
    public void onCancel(Runnable action) {
        close = action;
        registered.countDown();
        if (cancelled) {
            action.run();
        }
    }

    @Override
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** Does what a loop does whose call is cancelled or out of time. */
    public void cancel() {
        cancelled = true;
        close.run();
    }

    /** Waits until a call is under way. */
    public void awaitRegistered() throws InterruptedException {
        registered.await();
    }

    public List<ModelDelta> deltas() {
        return List.copyOf(deltas);
    }

    /** Returns the text deltas, joined. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (ModelDelta delta : deltas()) {
            if (delta instanceof ModelDelta.Text more) {
                text.append(more.text());
            }
        }
        return text.toString();
    }
}
