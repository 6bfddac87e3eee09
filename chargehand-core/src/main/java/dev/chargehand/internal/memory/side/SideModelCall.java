package dev.chargehand.internal.memory.side;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Closers;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.spi.CallInfo;
import java.time.Duration;

/** One call of a model that belongs to no run. Its deltas are dropped, and too many of them end it. Thread-safe. */
final class SideModelCall implements ModelCall {

    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    /** How many characters a model may stream, so that one that does not stop uses no more. */
    private static final long MOST = 100_000;

    private final BoundedCalls calls;
    private final String model;
    private final Closers closers;
    private long streamed;

    SideModelCall(BoundedCalls calls, String model) {
        this.calls = calls;
        this.model = model;
        this.closers = new Closers(this::callCloser);
    }

    @Override
    public void delta(ModelDelta delta) {
        if (isTooMuch(delta)) {
            closers.close();
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
        closers.add(close);
    }

    @Override
    public Duration connectTimeout() {
        return CONNECTING;
    }

    /** Close the connection, if the call has not returned. */
    void close() {
        closers.close();
    }

    /** Keep the connection of a call that has returned: it may be used again. */
    void forget() {
        closers.forget();
    }

    private void callCloser(Runnable closer) {
        calls.start(CallSite.of(CallInfo.Kind.CLOSER, "model " + model), CLOSING, closer);
    }
}
