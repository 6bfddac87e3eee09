package dev.chargehand.internal.fact;

import org.jspecify.annotations.Nullable;

/**
 * Where a tool call stands.
 *
 * @param call what the model asked for
 * @param opened the intent, or null if there is none yet
 * @param closed the end, or null if there is none yet
 */
public record CallState(Fact.Call call, Fact.@Nullable CallOpened opened, Fact.@Nullable CallClosed closed) {

    /** Returns the call's id. */
    public String callId() {
        return call.callId();
    }

    /** Tells whether nothing has been decided about the call. */
    public boolean isUnopened() {
        return opened == null && closed == null;
    }

    /** Tells whether the call may be executed. */
    public boolean isRunnable() {
        return opened != null && closed == null;
    }

    /** Tells whether the call is over. */
    public boolean isClosed() {
        return closed != null;
    }
}
