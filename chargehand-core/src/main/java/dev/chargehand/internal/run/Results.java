package dev.chargehand.internal.run;

import dev.chargehand.RunResult;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.loop.StepResults;

/** Makes results of ended runs. */
final class Results {

    private Results() {}

    static RunResult of(State state) {
        Spent spent = state.spent();
        Fact.ThreadLink thread = state.started().thread();
        return new RunResult(
                state.runId(),
                state.path(),
                state.status(),
                state.stopReason()
                        .orElseThrow(() -> new IllegalStateException("Run " + state.runId() + " has not ended.")),
                state.text(),
                StepResults.of(state),
                Transcript.ofRun(state),
                spent.usageOf(state.agentId()),
                spent.usageByAgent(),
                spent.cost(),
                state.completion().orElse(null),
                thread == null ? null : thread.id());
    }
}
