package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.scope.StepResults;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Optional;

/** Makes results of ended runs. */
final class RunResults {

    private RunResults() {}

    /** Make the result of a run that has ended, or that waits. */
    static RunResult of(State run, List<PendingApproval> pending, StepResults steps) {
        ConversationState state = run.conversation();
        Spending spent = state.spent();
        ThreadLink thread = state.started().thread();
        return new RunResultRecord(
                state.runId(),
                state.path(),
                state.status(),
                reason(state),
                state.text(),
                steps.of(state),
                Transcript.ofRun(state),
                spent.usageOf(state.agentId()),
                spent.usageByAgent(),
                spent.cost(),
                state.completion(),
                state.object(),
                pending,
                Optional.ofNullable(thread).map(ThreadLink::id),
                Optional.ofNullable(state.started().fork()));
    }

    private static StopReason reason(State state) {
        if (state.status() == RunStatus.SUSPENDED) {
            return new StopReason.Suspended();
        }
        return state.stopReason()
                .orElseThrow(() -> new IllegalStateException("Run " + state.runId() + " has not ended."));
    }

    /** Make what continues record of an ended child run with the call that it served. */
    static ChildEnd childEnd(State ended) {
        return new ChildEnd(
                ended.runId(),
                ended.agentId(),
                ended.status(),
                ended.stopReason().orElseThrow(),
                ended.text(),
                ended.spent());
    }
}
