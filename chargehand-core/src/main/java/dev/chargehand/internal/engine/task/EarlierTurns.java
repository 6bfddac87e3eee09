package dev.chargehand.internal.engine.task;

import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What the turns of an until-idle call before one, and their tasks, mean for it. */
public final class EarlierTurns {

    private static final int MOST = 1000;

    private final RunId turn;
    private final RunId first;
    private final Store store;

    private EarlierTurns(RunId turn, RunId first, Store store) {
        this.turn = turn;
        this.first = first;
        this.store = store;
    }

    /** Return those before a run; empty unless it is a turn after the first one. */
    public static Optional<EarlierTurns> before(State state, Store store) {
        RunId first = state.started().background().untilIdle();
        return first == null || first.equals(state.runId())
                ? Optional.empty()
                : Optional.of(new EarlierTurns(state.runId(), first, store));
    }

    /**
     * Return why a turn that is about to call its model for the first time ends without that: it has nothing to read, or there were as
     * many turns as may be.
     */
    public Optional<StopReason> end(ConversationState state, long most) {
        if (!state.steps().isEmpty()) {
            return Optional.empty();
        }
        boolean isSpokenTo = store.undrained(turn).stream().anyMatch(each -> each.kind() == Delivery.Kind.MESSAGE);
        if (state.started().background().results().isEmpty() && !isSpokenTo) {
            return Optional.of(new StopReason.Finished());
        }
        long started = runs().stream()
                .filter(run -> run.task().isEmpty() && !run.runId().equals(first))
                .filter(run -> run.status() != RunStatus.PENDING)
                .count();
        return started > most ? Optional.of(new StopReason.LimitReached(Limit.CONTINUATIONS.key())) : Optional.empty();
    }

    /**
     * Debit what they have spent, and what tasks that have not ended may spend.
     *
     * @param granted receives each of the latter, with the id of the task
     */
    public void debit(Ledger ledger, BiConsumer<RunId, Budget> granted) {
        for (RunRecord run : runs()) {
            boolean isOwn = run.runId().equals(turn)
                    || run.task()
                            .filter(task -> task.originRunId().equals(turn))
                            .isPresent();
            if (isOwn) {
                continue;
            }
            if (run.task().isEmpty() || run.status().isEnded()) {
                RunSummary summary = run.summary().orElse(null);
                ledger.enter(
                        ledger.boundsCalls() ? modelCallsOf(run) : 0,
                        0,
                        0,
                        summary == null ? 0 : summary.usage().totalTokens(),
                        summary == null ? BigDecimal.ZERO : summary.cost());
            } else {
                granted.accept(run.task().orElseThrow().taskId(), grantOf(run.runId()));
            }
        }
    }

    /** The record of a run does not have the number of its model calls. */
    private int modelCallsOf(RunRecord run) {
        return last(run).spent().modelCalls();
    }

    /** Return how long they were active. */
    public Duration activeTime() {
        return runs().stream()
                .filter(run -> run.task().isEmpty() && !run.runId().equals(turn))
                .map(run -> last(run).activeTime())
                .reduce(Duration.ZERO, Duration::plus);
    }

    private State last(RunRecord run) {
        return Journal.read(store, run.runId()).getLast().after();
    }

    private Budget grantOf(RunId task) {
        List<TreeFact> facts = store.readTree(task, 0, 1);
        return !facts.isEmpty() && FactCodec.read(facts.getFirst().entry()) instanceof Fact.Started started
                ? started.settings().get(Options.BUDGET)
                : Budget.NONE;
    }

    private List<RunRecord> runs() {
        return store.list(RunFilter.ROOTS.untilIdle(first).limit(MOST));
    }
}
