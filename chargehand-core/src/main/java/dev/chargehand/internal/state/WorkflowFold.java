package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.value.SharedList;
import dev.chargehand.internal.state.value.SharedMap;
import dev.chargehand.internal.state.value.Sharing;
import dev.chargehand.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folds one fact into the state of a workflow's run. */
final class WorkflowFold extends Fold {

    private final WorkflowState before;

    private SharedList<Round> over;
    private @Nullable Round open;
    private SharedMap<Json> outputs;
    private Sharing sharing;
    private long calls;

    private WorkflowFold(WorkflowState before, Fact fact) {
        super(before, fact);
        this.before = before;
        over = before.allRounds().over();
        open = before.allRounds().open();
        outputs = before.allRounds().outputs();
        sharing = before.sharing();
        calls = before.allRounds().calls();
    }

    /** Return the state after a fact. */
    static WorkflowState of(WorkflowState before, Fact fact) {
        WorkflowFold fold = new WorkflowFold(before, fact);
        fold.add(fact);
        fold.share(fact);
        return new WorkflowState(
                fold.origin(),
                fold.progress(),
                new WorkflowState.Rounds(fold.over, fold.open, fold.outputs, fold.sharing, fold.calls));
    }

    private void share(Fact fact) {
        switch (fact) {
            case Fact.CallOpened opened -> sharing = sharing.opened(opened.callId());
            case Fact.CallParked parked -> sharing = sharing.left(parked.callId(), parked.patch());
            case Fact.CallClosed closed -> {
                RoundFact.StepEffects effects = closed.effects();
                spend(effects == null ? Spending.NOTHING : effects.spent());
                sharing = sharing.left(closed.callId(), effects == null ? null : effects.patch());
            }
            default -> {}
        }
    }

    @Override
    void addOwn(Fact fact) {
        switch (fact) {
            case RoundFact.Planned planned -> {
                if (open != null || planned.round() != over.size() + 1) {
                    throw new IllegalStateException("Run " + before.runId() + " planned a round out of turn.");
                }
                open = Round.of(planned);
                sharing = sharing.inNextRound();
                calls += isCopying() ? 0 : planned.executed();
            }
            case RoundFact.CallRetried retried -> {
                calls(before.openCalls().after(retried));
                spend(
                        retried.child() == null
                                ? Spending.NOTHING
                                : retried.child().spent());
                spend(retried.spent());
            }
            case RoundFact.RoundClosed closed -> {
                Round ended = before.round().over(closed);
                for (CallState call : ended.calls()) {
                    if (ended.item(call.callId()) < 0
                            && call.closed() != null
                            && !call.closed().hasFailed()) {
                        outputs = outputs.with(call.call().name(), Round.outputOf(call));
                    }
                }
                over = over.plus(ended);
                open = null;
                ends(closed.stop(), List.of());
            }
            default -> throw new IllegalStateException("Run " + before.runId() + " is of a workflow.");
        }
    }

    @Override
    void calls(StepCalls changed) {
        open = before.round().with(changed);
    }

    @Override
    void cutShort(Fact.Stopped stopped) {
        if (open != null) {
            over = over.plus(open);
        }
        open = null;
    }

    /** The functions of a workflow are not called by a model. */
    @Override
    boolean countsAsToolCall(CallState call) {
        return false;
    }

    @Override
    @Nullable
    String referenceFor(Fact.CallClosed closed) {
        return null;
    }
}
