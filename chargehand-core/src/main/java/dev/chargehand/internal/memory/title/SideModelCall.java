package dev.chargehand.internal.memory.title;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.spi.CallInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One call of a model that belongs to no run. Its deltas are dropped, and too many of them end it. Thread-safe. */
final class SideModelCall implements ModelCall {

    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    /** How many characters a model may stream, so that one that does not stop uses no more. */
    private static final long MOST = 100_000;

    private final BoundedCalls calls;
    private final String model;
    private final List<Runnable> closers = new ArrayList<>(1);
    private long streamed;
    private boolean closed;

    SideModelCall(BoundedCalls calls, String model) {
        this.calls = calls;
        this.model = model;
    }

    @Override
    public void delta(ModelDelta delta) {
        if (isTooMuch(delta)) {
            close();
        }
    }

    private synchronized boolean isTooMuch(ModelDelta delta) {
        streamed += switch (delta) {
            case ModelDelta.Text more -> more.text().length();
            case ModelDelta.Reasoning more -> more.text().length();
            case ModelDelta.ToolCallArguments more -> more.fragment().length();
            case ModelDelta.ToolCallStart ignored -> 0;
            case ModelDelta.ToolCallEnd ignored -> 0;
        };
        return streamed > MOST;
    }

    @Override
    public void onCancel(Runnable close) {
        synchronized (this) {
            if (!closed) {
                closers.add(close);
                return;
            }
        }
        callCloser(close);
    }

    @Override
    public Duration connectTimeout() {
        return CONNECTING;
    }

    /** Close the connection, if the call has not returned. */
    void close() {
        List<Runnable> toRun;
        synchronized (this) {
            closed = true;
            toRun = List.copyOf(closers);
            closers.clear();
        }
        toRun.forEach(this::callCloser);
    }

    /** Keep the connection of a call that has returned: it may be used again. */
    synchronized void forget() {
        closers.clear();
    }

    private void callCloser(Runnable closer) {
        calls.start(CallSite.of(CallInfo.Kind.CLOSER, "model " + model), CLOSING, closer);
    }
}
