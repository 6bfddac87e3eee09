package dev.chargehand.internal.fact;

import org.jspecify.annotations.Nullable;

/**
 * Where a tool call stands.
 *
 * @param call what the model asked for
 * @param opened the intent, or null if there is none yet
 * @param closed the end, or null if there is none yet
 * @param reference the id under which later delegations may name the result, or null if it has none
 */
public record CallState(
        Fact.Call call,
        Fact.@Nullable CallOpened opened,
        Fact.@Nullable CallClosed closed,
        @Nullable String reference) {

    /** What the name of a sub-agent's tool begins with. */
    public static final String AGENT_PREFIX = "agent-";

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

    /** Tells whether the call asks for a delegation. */
    public boolean isDelegation() {
        return call.name().startsWith(AGENT_PREFIX);
    }

    /** Returns the key of the sub-agent that a delegation asks for. */
    public String agentKey() {
        return call.name().substring(AGENT_PREFIX.length());
    }

    /** Returns the opened delegation's run and what the hooks decided about it. */
    public Fact.ChildLink child() {
        if (opened == null || opened.child() == null) {
            throw new IllegalStateException("Call " + callId() + " is no opened delegation.");
        }
        return opened.child();
    }
}
