package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;

/** Makes the end of a tool call that has a result: kept whole and without secrets, shown to the model within bounds. */
final class Finished {

    private Finished() {}

    static Fact.CallClosed with(RunScope run, CallState call, Json output) {
        Json kept = run.root().redactor().redact(output);
        String shown = kept.string().orElse(kept.text());
        String cut = Excerpt.of(shown, run.limit(Limit.TOOL_RESULT_BYTES));
        return new Fact.CallClosed(call.callId(), kept, cut, null, null, null, null, null, run.now());
    }
}
