package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Enters into the ledger of a tree what its stored runs had spent, each run once. Thread-safe. */
final class TreeSpending {

    private final RuntimeEnvironment environment;
    private final Ledger ledger;
    private final TaskDispatch tasks;
    private final Set<RunId> counted = ConcurrentHashMap.newKeySet(2);

    TreeSpending(RuntimeEnvironment environment, Ledger ledger, TaskDispatch tasks) {
        this.tasks = tasks;
        this.environment = environment;
        this.ledger = ledger;
    }

    /**
     * Note that a run starts here: what it spends is entered as it spends it.
     *
     * @param decided what was decided about it before, and may have used models
     */
    void starts(RunId runId, List<Fact> decided) {
        if (counted.add(runId)) {
            decided.stream()
                    .filter(Fact.Processed.class::isInstance)
                    .forEach(fact -> enter(((Fact.Processed) fact).spent()));
        }
    }

    /** Enter what a run has spent, unless it has been entered. */
    private void count(State state) {
        if (counted.add(state.runId())) {
            enter(state.spent());
            if (state instanceof ConversationState conversation
                    && state.started().parentRunId() == null) {
                tasks.count(conversation);
                tasks.countEarlierTurns(state);
            }
        }
    }

    private void enter(Spending spent) {
        ledger.enter(
                spent.modelCalls(),
                spent.toolCalls(),
                spent.outputCharacters(),
                spent.totalUsage().totalTokens(),
                spent.cost());
    }

    /** Enter what a run has spent, and its nested runs that are left waiting, with their descendants. */
    void count(State state, Predicate<RunRecord> isLeft) {
        count(state);
        countWhatWaits(state, isLeft);
    }

    private void countWhatWaits(State state, Predicate<RunRecord> isLeft) {
        for (CallState call : state.pendingCalls()) {
            if (call.isOpenDelegation()) {
                environment
                        .store()
                        .find(call.child().runId())
                        .filter(child -> !child.status().isEnded() && isLeft.test(child))
                        .map(child -> SuspendedRuns.look(environment.store(), child))
                        .ifPresent(this::countTree);
            }
        }
    }

    private void countTree(State state) {
        count(state, child -> true);
    }
}
