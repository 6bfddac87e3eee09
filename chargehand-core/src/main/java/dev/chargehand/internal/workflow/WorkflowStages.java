package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.Stages;
import dev.chargehand.internal.agent.act.CallExecutor;
import dev.chargehand.internal.agent.act.CallOpener;
import dev.chargehand.internal.agent.act.CallRules;
import dev.chargehand.internal.agent.act.CallRules.OnFailure;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stages of a workflow's run: the definition and what has happened determine what is called next. The end of a round and the plan of
 * the next one are stored in one transaction, with the intents of its first calls. Used by the run's own thread only.
 */
public final class WorkflowStages implements Stages {

    private final Workflow<?, ?> workflow;
    private final Planner planner;
    private final StepOpener opener;
    private final StepCalls calls;
    private final int concurrency;

    /**
     * Make the stages of a run.
     *
     * @param concurrency how many steps of an entry are executed at once, unless the entry says it
     */
    public WorkflowStages(RunScope run, Workflow<?, ?> workflow, int concurrency) {
        this.workflow = workflow;
        this.planner = new Planner(run, workflow);
        Map<String, RunDefinition> children = run.definition().children();
        Map<String, String> faults = new ConcurrentHashMap<>();
        this.opener = new StepOpener(run, workflow, new WorkflowCode(run), children, faults);
        this.calls = new StepCalls(workflow, children, faults);
        this.concurrency = concurrency;
    }

    @Override
    public List<Fact> first(State started) {
        Optional<RoundFact.Planned> planned = planner.withoutCode((WorkflowState) started);
        if (planned.isEmpty()) {
            return List.of();
        }
        State state = started.after(planned.get());
        List<CallState> calls = state.unopened();
        List<Fact> facts = new ArrayList<>(List.of(planned.get()));
        if (!opener.callsForeignCode(calls)) {
            List<Fact> opened = calls.stream()
                    .limit(rules(state).concurrency())
                    .map(call -> opener.open(state, call))
                    .toList();
            if (opened.stream().allMatch(Fact.CallOpened.class::isInstance)) {
                facts.addAll(opened);
            }
        }
        return facts;
    }

    @Override
    public void ask(Work work) {
        work.journal().add(planner.first((WorkflowState) work.journal().state()));
    }

    @Override
    public CallOpener opener() {
        return opener;
    }

    @Override
    public CallExecutor executor() {
        return calls;
    }

    @Override
    public CallRules rules(State state) {
        Round round = ((WorkflowState) state).round();
        return switch (Entries.of(workflow, round.planned().entry())) {
            case Entry.Foreach entry -> new CallRules(entry.concurrency(), entry.concurrency() == 1, onFailure(entry));
            case Entry.Parallel entry -> new CallRules(concurrency, false, onFailure(entry.onFailure()));
            case Entry.BranchAll entry -> new CallRules(concurrency, false, onFailure(entry.onFailure()));
            case Entry.Then ignored -> CallRules.independent(concurrency);
            case Entry.Loop ignored -> CallRules.independent(concurrency);
            case Entry.Branch ignored -> CallRules.independent(concurrency);
            case Entry.Mapping ignored -> CallRules.independent(concurrency);
            case Entry.Sleep ignored -> CallRules.independent(concurrency);
        };
    }

    private static OnFailure onFailure(Entry.Foreach entry) {
        if (entry.collect()) {
            return OnFailure.CONTINUE;
        }
        OnFailure onFailure = onFailure(entry.onFailure());
        return onFailure == OnFailure.CONTINUE ? OnFailure.START_NO_MORE : onFailure;
    }

    private static OnFailure onFailure(Entry.Failure failure) {
        return switch (failure) {
            case FINISH_SIBLINGS -> OnFailure.CONTINUE;
            case CANCEL_SIBLINGS -> OnFailure.CANCEL;
        };
    }

    @Override
    public void decide(Work work) {
        work.record(); // before code of the application is called
        List<Fact> facts = planner.next((WorkflowState) work.journal().state());
        work.journal().add(facts);
        if (work.journal().state().stop() != null) {
            work.record();
        }
    }
}
