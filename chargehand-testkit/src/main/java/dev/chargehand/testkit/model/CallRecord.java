package dev.chargehand.testkit.model;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** The loop's side of a call: keeps the deltas, and cancels from another thread. */
final class CallRecord implements ModelCall {

    private final List<ModelDelta> deltas = new CopyOnWriteArrayList<>();
    private final CountDownLatch received;
    private volatile Runnable close = () -> {};
    private volatile boolean cancelled;

    CallRecord() {
        this(1);
    }

    /** Keep deltas; {@link #awaitDeltas} waits for so many. */
    CallRecord(int awaited) {
        received = new CountDownLatch(awaited);
    }

    @Override
    public void delta(ModelDelta delta) {
        deltas.add(delta);
        received.countDown();
    }

    @Override
    public void onCancel(Runnable action) {
        close = action;
        if (cancelled) {
            action.run();
        }
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(10);
    }

    void cancel() {
        cancelled = true;
        close.run();
    }

    void awaitDeltas() throws InterruptedException {
        received.await();
    }

    CountDownLatch received() {
        return received;
    }

    List<ModelDelta> deltas() {
        return List.copyOf(deltas);
    }

    String text() {
        return of(ModelDelta.Text.class).stream().map(ModelDelta.Text::text).collect(Collectors.joining());
    }

    String reasoning() {
        return of(ModelDelta.Reasoning.class).stream()
                .map(ModelDelta.Reasoning::text)
                .collect(Collectors.joining());
    }

    /** Return the emitted arguments of the call at a place. */
    String arguments(int index) {
        return of(ModelDelta.ToolCallArguments.class).stream()
                .filter(delta -> delta.index() == index)
                .map(ModelDelta.ToolCallArguments::fragment)
                .collect(Collectors.joining());
    }

    <D extends ModelDelta> List<D> of(Class<D> kind) {
        return deltas.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
