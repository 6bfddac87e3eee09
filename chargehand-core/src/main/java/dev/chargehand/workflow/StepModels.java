package dev.chargehand.workflow;

import dev.chargehand.model.ModelChoice;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Gives the agents of steps other models. */
record StepModels(Function<String, Optional<ModelChoice>> models) {

    List<Entry> of(List<Entry> entries) {
        return entries.stream().map(this::of).toList();
    }

    private Entry of(Entry entry) {
        return switch (entry) {
            case Entry.Then then -> new Entry.Then(of(then.step()));
            case Entry.Mapping map -> map;
            case Entry.Parallel all ->
                new Entry.Parallel(
                        all.id(), all.steps().stream().<Step<?, ?>>map(this::of).toList(), all.onFailure());
            case Entry.Branch branch ->
                new Entry.Branch(
                        branch.id(), cases(branch.cases()), branch.otherwise() == null ? null : of(branch.otherwise()));
            case Entry.BranchAll branch -> new Entry.BranchAll(branch.id(), cases(branch.cases()), branch.onFailure());
            case Entry.Loop loop -> new Entry.Loop(of(loop.step()), loop.condition(), loop.until(), loop.atMost());
            case Entry.Foreach each ->
                new Entry.Foreach(
                        each.id(),
                        each.function(),
                        of(each.step()),
                        each.concurrency(),
                        each.collect(),
                        each.onFailure());
            case Entry.Sleep sleep -> sleep;
        };
    }

    private List<Entry.Case> cases(List<Entry.Case> cases) {
        return cases.stream()
                .map(each -> new Entry.Case(each.name(), each.condition(), of(each.step())))
                .toList();
    }

    private <I, O> Step<I, O> of(Step<I, O> step) {
        StepBuilder.Settings settings = step.settings();
        return settings.work() instanceof StepBuilder.Work.Nested nested
                ? step.with(settings.withWork(
                        new StepBuilder.Work.Nested(nested.delegate().withModels(models))))
                : step;
    }
}
