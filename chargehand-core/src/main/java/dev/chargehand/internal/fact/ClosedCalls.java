package dev.chargehand.internal.fact;

import dev.chargehand.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes facts of calls that are over. */
public final class ClosedCalls {

    private ClosedCalls() {}

    /** Return the end of a call with an output. */
    public static Fact.CallClosed succeeded(String callId, Json output, Instant at) {
        return new Fact.CallClosed(callId, output, null, null, null, null, null, null, null, at);
    }

    /** Make the fact of a call that failed, was rejected or never ran. */
    public static Fact.CallClosed failed(String callId, String error, @Nullable String detail, Instant at) {
        return new Fact.CallClosed(callId, null, null, error, detail, null, null, null, null, at);
    }

    /** Return the end of a call with that of its nested run. */
    public static Fact.CallClosed with(ChildEnd child, Fact.CallClosed end) {
        return new Fact.CallClosed(
                end.callId(),
                end.output(),
                end.view(),
                end.error(),
                end.detail(),
                end.refusal(),
                child,
                end.verdict(),
                end.effects(),
                end.at());
    }

    /** Return the end of a call of a step with what it used itself. */
    public static Fact.CallClosed with(Spending spent, Fact.CallClosed end) {
        RoundFact.StepEffects effects = end.effects();
        return new Fact.CallClosed(
                end.callId(),
                end.output(),
                end.view(),
                end.error(),
                end.detail(),
                end.refusal(),
                end.child(),
                end.verdict(),
                RoundFact.StepEffects.of(effects == null ? null : effects.patch(), spent),
                end.at());
    }

    /** Make the fact of a call that a hook rejected. */
    public static Fact.CallClosed rejected(String callId, String error, Refusal refusal, Instant at) {
        return new Fact.CallClosed(callId, null, null, error, null, refusal, null, null, null, at);
    }
}
