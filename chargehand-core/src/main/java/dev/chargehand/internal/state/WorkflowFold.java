package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.internal.state.value.SharedList;
import dev.chargehand.internal.state.value.SharedMap;
import dev.chargehand.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folds one fact into the state of a workflow's run. */
final class WorkflowFold extends Fold {

    private final WorkflowState before;

    private SharedList<Round> over;
    private @Nullable Round open;
    private SharedMap<Json> outputs;
    private Json shared;
    private long calls;

    private WorkflowFold(WorkflowState before, Fact fact) {
        super(before, fact);
        this.before = before;
        over = before.allRounds().over();
        open = before.allRounds().open();
        outputs = before.allRounds().outputs();
        shared = before.allRounds().shared();
        calls = before.allRounds().calls();
    }

    /** Return the state after a fact. */
    static WorkflowState of(WorkflowState before, Fact fact) {
        WorkflowFold fold = new WorkflowFold(before, fact);
        fold.add(fact);
        if (fact instanceof Fact.CallClosed closed && closed.effects() != null) {
            fold.spend(closed.effects().spent());
            fold.change(closed.effects().patch());
        } else if (fact instanceof Fact.CallParked parked) {
            fold.change(parked.patch());
        }
        return new WorkflowState(
                fold.origin(),
                fold.progress(),
                new WorkflowState.Rounds(fold.over, fold.open, fold.outputs, fold.shared, fold.calls));
    }

    private void change(@Nullable Json patch) {
        if (patch != null) {
            shared = MergePatch.applied(shared, patch);
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
