package dev.chargehand.internal.run;

import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.loop.StepResults;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;

/** Makes results of ended runs. */
final class Results {

    private Results() {}

    /** Makes the result of a run that has ended, or that waits. */
    static RunResult of(State state, List<PendingApproval> pending) {
        Spent spent = state.spent();
        Fact.ThreadLink thread = state.started().thread();
        return new RunResult(
                state.runId(),
                state.path(),
                state.status(),
                reason(state),
                state.text(),
                StepResults.of(state),
                Transcript.ofRun(state),
                spent.usageOf(state.agentId()),
                spent.usageByAgent(),
                spent.cost(),
                state.completion().orElse(null),
                state.object().orElse(null),
                pending,
                thread == null ? null : thread.id(),
                state.started().fork());
    }

    private static StopReason reason(State state) {
        if (state.status() == RunStatus.SUSPENDED) {
            return new StopReason.Suspended();
        }
        return state.stopReason()
                .orElseThrow(() -> new IllegalStateException("Run " + state.runId() + " has not ended."));
    }

    /** Makes what goes on record of an ended child run with the call that it served. */
    static Fact.ChildEnd childEnd(State ended) {
        return new Fact.ChildEnd(
                ended.runId(),
                ended.agentId(),
                ended.status(),
                ended.stopReason().orElseThrow(),
                ended.text(),
                ended.spent());
    }
}
