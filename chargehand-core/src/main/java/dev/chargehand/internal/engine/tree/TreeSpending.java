package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Enters into the ledger of a tree what its stored runs had spent, each run once. Thread-safe. */
final class TreeSpending {

    private final RuntimeEnvironment environment;
    private final Ledger ledger;
    private final TaskDispatch tasks;
    private final Set<RunId> counted = ConcurrentHashMap.newKeySet();

    TreeSpending(RuntimeEnvironment environment, Ledger ledger, TaskDispatch tasks) {
        this.tasks = tasks;
        this.environment = environment;
        this.ledger = ledger;
    }

    /** Note that a run starts here: what it spends is entered as it spends it. */
    void starts(RunId runId) {
        counted.add(runId);
    }

    /** Enter what a run has spent, unless it has been entered. */
    void count(State state) {
        if (counted.add(state.runId())) {
            Spending spent = state.spent();
            ledger.enter(
                    spent.modelCalls(),
                    spent.toolCalls(),
                    spent.outputCharacters(),
                    spent.totalUsage().totalTokens(),
                    spent.cost());
            if (state instanceof ConversationState conversation
                    && state.started().parentRunId() == null) {
                tasks.count(conversation);
                tasks.countEarlierTurns(state);
            }
        }
    }

    /** Enter what the nested runs of a run have spent that are left waiting, with their descendants. */
    void countWhatWaits(State state, Predicate<RunRecord> isLeft) {
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
        count(state);
        countWhatWaits(state, child -> true);
    }
}
