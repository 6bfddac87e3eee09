package dev.chargehand.internal.workflow;

import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Plans the round of an entry: which steps are called with what. */
record RoundPlans(RunScope run, WorkflowCode code) {

    /** Return the plan of an entry, whose conditions are asked now and not again. */
    RoundFact.Planned of(WorkflowState state, Entry entry, int iteration, Json value) {
        return switch (entry) {
            case Entry.Then then -> calling(state, entry, iteration, List.of(then.step()), value);
            case Entry.Loop loop -> calling(state, entry, iteration, List.of(loop.step()), value);
            case Entry.Parallel parallel -> calling(state, entry, iteration, parallel.steps(), value);
            case Entry.Branch branch -> calling(state, entry, iteration, first(state, branch, value), value);
            case Entry.BranchAll branch -> calling(state, entry, iteration, all(state, branch, value), value);
            case Entry.Foreach foreach -> {
                List<Json> items = code.call(state, entry, iteration, context -> foreach.items(value, context));
                List<PlannedCall> calls = new ArrayList<>(items.size());
                long most = run.limit(Limit.FOREACH_ITEMS) + 1; // one more is too many, and says so
                for (Json item : items.subList(0, (int) Math.min(most, items.size()))) {
                    calls.add(call(foreach.step(), entry.id() + "[" + calls.size() + "]", item));
                }
                yield planned(state, entry, iteration, calls, List.of(), value);
            }
            case Entry.Sleep ignored -> {
                PlannedCall call =
                        new PlannedCall(run.root().ids().next("call_"), entry.id(), entry.id(), value.text());
                yield planned(state, entry, iteration, List.of(call), List.of(), value);
            }
            case Entry.Mapping ignored -> withoutCalls(state, entry, value);
        };
    }

    /** Return the plan of a round that calls nothing and passes its input on. */
    RoundFact.Planned withoutCalls(WorkflowState state, Entry entry, Json value) {
        return planned(state, entry, 1, List.of(), List.of(), value);
    }

    private List<Step<?, ?>> first(WorkflowState state, Entry.Branch branch, Json value) {
        for (Entry.Case each : branch.cases()) {
            if (code.call(state, branch, 1, context -> each.test(value, context))) {
                return List.of(each.step());
            }
        }
        Step<?, ?> otherwise = branch.otherwise();
        return otherwise == null ? List.of() : List.of(otherwise);
    }

    private List<Step<?, ?>> all(WorkflowState state, Entry.BranchAll branch, Json value) {
        List<Step<?, ?>> steps = new ArrayList<>();
        for (Entry.Case each : branch.cases()) {
            if (code.call(state, branch, 1, context -> each.test(value, context))) {
                steps.add(each.step());
            }
        }
        return steps;
    }

    private RoundFact.Planned calling(
            WorkflowState state, Entry entry, int iteration, List<Step<?, ?>> steps, Json value) {
        List<PlannedCall> calls =
                steps.stream().map(step -> call(step, step.id(), value)).toList();
        Set<String> skipped = new LinkedHashSet<>();
        entry.steps().forEach(step -> skipped.add(step.id()));
        steps.forEach(step -> skipped.remove(step.id()));
        return planned(state, entry, iteration, calls, List.copyOf(skipped), value);
    }

    private PlannedCall call(Step<?, ?> step, String path, Json input) {
        return new PlannedCall(run.root().ids().next("call_"), path, step.id(), input.text());
    }

    private RoundFact.Planned planned(
            WorkflowState state,
            Entry entry,
            int iteration,
            List<PlannedCall> calls,
            List<String> skipped,
            Json value) {
        String input = calls.isEmpty() ? value.text() : null;
        return new RoundFact.Planned(state.stepsOver() + 1, entry.id(), iteration, calls, skipped, input, 0, run.now());
    }
}
