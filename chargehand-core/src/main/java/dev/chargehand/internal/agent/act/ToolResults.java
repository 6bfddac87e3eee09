package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the end of a tool call: the result is stored in full and without secrets, and shown to the model within bounds.
 */
final class ToolResults {

    private ToolResults() {}

    static Fact.CallClosed with(RunScope run, CallState call, Json output) {
        Json kept = run.root().redactor().redact(output);
        String shown = kept.string().orElse(kept.text());
        String cut = Excerpt.of(shown, run.limit(Limit.TOOL_RESULT_BYTES));
        return new Fact.CallClosed(call.callId(), kept, cut, null, null, null, null, null, null, run.now());
    }

    /**
     * Make the end of a call that failed or never ran.
     *
     * @param error the text for the model, without secrets
     * @param detail what only logs and events see, or null; if the error is cut, it is the whole error instead
     */
    static Fact.CallClosed failed(RunScope run, CallState call, String error, @Nullable String detail) {
        String whole = WellFormed.text(error);
        String cut = Excerpt.of(whole, run.limit(Limit.TOOL_RESULT_BYTES));
        return cut == null
                ? ClosedCalls.failed(call.callId(), whole, detail, run.now())
                : ClosedCalls.failed(call.callId(), cut, whole, run.now());
    }

    /**
     * Make the end of a call that was rejected.
     *
     * @param error the text for the model, without secrets
     */
    static Fact.CallClosed rejected(RunScope run, CallState call, String error, Refusal refusal) {
        String cut = Excerpt.of(error, run.limit(Limit.TOOL_RESULT_BYTES));
        return ClosedCalls.rejected(call.callId(), cut == null ? error : cut, refusal, run.now());
    }
}
