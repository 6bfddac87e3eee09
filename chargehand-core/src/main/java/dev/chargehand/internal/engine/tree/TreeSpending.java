package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.lease.RunPages;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Enters into the ledger of a tree what its stored runs had spent, each run once. Thread-safe. */
final class TreeSpending {

    private static final Log LOG = Log.of(TreeSpending.class);
    private static final StopReason TOOL_CALLS = new StopReason.LimitReached(Limit.TOOL_CALLS.key());

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
            for (Fact fact : decided) {
                if (fact instanceof Fact.Processed processed) {
                    enter(processed.spent());
                }
            }
        }
    }

    /** Enter the calls that a fork has planned with what it has of its source run; other runs reserve theirs as they plan them. */
    void startedWith(RunOpening opening, State state) {
        if (!opening.copied().isEmpty()) {
            enterCalls(state);
        }
    }

    /** Enter what a run has spent, unless it has been entered. */
    private void count(State state) {
        if (counted.add(state.runId())) {
            enter(state.spent());
            enterCalls(state);
            enterRejections(state);
            if (state instanceof ConversationState conversation
                    && state.started().parentRunId() == null) {
                tasks.count(conversation);
                tasks.countEarlierTurns(state);
            }
        }
    }

    /**
     * Return a nested run that has ended. One that ended right before its process died is in the store, and not yet with its call: what it
     * has spent is entered. The calls that it has planned are counted with the root run.
     */
    State counted(State ended) {
        if (counted.add(ended.runId())) {
            enter(ended.spent());
            enterRejections(ended);
        }
        return ended;
    }

    /** A call that the limit of tool calls has rejected, here or below, ends the runs above it before a further model call. */
    private void enterRejections(State state) {
        StepState open = state instanceof ConversationState conversation ? conversation.open() : null;
        boolean endedBy = TOOL_CALLS.equals(state.stop());
        if (endedBy || (open != null && open.calls().stream().anyMatch(TreeSpending::isRejected))) {
            ledger.enterRejectedToolCall();
        }
    }

    private static boolean isRejected(CallState call) {
        Fact.CallClosed end = call.closed();
        if (end == null) {
            return false;
        }
        return end.child() == null
                ? call.opened() == null && end.error() != null && end.error().endsWith(Ledger.TOOL_CALLS_USED)
                : TOOL_CALLS.equals(end.child().stop());
    }

    private void enter(Spending spent) {
        ledger.enter(
                spent.modelCalls(),
                spent.toolCalls(),
                spent.outputCharacters(),
                spent.totalUsage().totalTokens(),
                spent.cost());
    }

    private void enterCalls(State state) {
        if (state instanceof WorkflowState workflow) {
            ledger.enterWorkflowCalls(workflow.callsPlanned());
        }
    }

    /**
     * Enter what a run that is resumed has spent, and its nested runs that are left waiting, with their descendants; with the root run,
     * the calls of all nested workflows of its tree that have ended. Open ones are entered when they are resumed.
     */
    void count(RunDefinition definition, State state, Predicate<RunRecord> isLeft) {
        count(state, isLeft);
        if (state.started().parentRunId() == null
                && state.mayHaveNestedRuns()
                && reachesWorkflow(definition, new HashSet<>())) {
            countEndedWorkflows(state.runId());
        }
    }

    private static boolean reachesWorkflow(RunDefinition definition, Set<RunDefinition> seen) {
        return definition.children().values().stream()
                .anyMatch(child ->
                        child instanceof WorkflowDefinition || (seen.add(child) && reachesWorkflow(child, seen)));
    }

    private void countEndedWorkflows(RunId root) {
        RunFilter tree = RunFilter.ALL.tree(root);
        for (RunRecord run : RunPages.all(environment.store()::list, tree)) {
            boolean isWorkflow =
                    run.summary().map(WorkflowState::isOf).orElse(true); // versions before workflows had no summary
            if (!run.isRoot() && run.status().isEnded() && isWorkflow) {
                enterCalls(run);
            }
        }
    }

    /** What an ended run has planned is nowhere but in its facts; if these are damaged, its tree continues without them. */
    private void enterCalls(RunRecord ended) {
        try {
            enterCalls(SuspendedRuns.look(environment.store(), ended));
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.UNREADABLE) {
                throw e;
            }
            LOG.warn("run {}: its calls are not counted, for it cannot be read: {}", ended.runId(), e.getMessage());
        }
    }

    private void count(State state, Predicate<RunRecord> isLeft) {
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
