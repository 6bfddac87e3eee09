package dev.chargehand.internal.workflow;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.run.Limit;
import dev.chargehand.run.StopReason;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Determines what follows: how a round ends, and what the next one calls. */
final class Planner {

    private final RunScope run;
    private final Workflow<?, ?> workflow;
    private final WorkflowCode code;
    private final RoundPlans plans;

    Planner(RunScope run, Workflow<?, ?> workflow) {
        this.run = run;
        this.workflow = workflow;
        this.code = new WorkflowCode(run);
        this.plans = new RoundPlans(run, code);
    }

    /**
     * What follows on a value.
     *
     * @param planned the next round, or null if there is none
     * @param stop why the run ends, or null if it continues
     * @param value the value after the maps that were called
     */
    private record Next(
            RoundFact.@Nullable Planned planned, @Nullable StopReason stop, Json value) {}

    /** Return the facts of the first round, or in a fork of the first one after those that were copied. */
    List<Fact> first(WorkflowState state) {
        Next next = state.rounds().isEmpty()
                ? from(state, 0, 1, state.input(), true)
                : after(state, state.rounds().getLast());
        return next.stop() != null
                ? List.of(new Fact.Stopped(next.stop(), "", Spending.NOTHING, run.now()))
                : List.of(Objects.requireNonNull(next.planned()));
    }

    /** Return the first round if the definition alone determines it: no map, condition or other function comes before its calls. */
    Optional<RoundFact.Planned> withoutCode(WorkflowState state) {
        boolean isPlain =
                switch (workflow.entries().getFirst()) {
                    case Entry.Then ignored -> true;
                    case Entry.Parallel ignored -> true;
                    case Entry.Loop ignored -> true;
                    case Entry.Sleep ignored -> true;
                    case Entry.Mapping ignored -> false;
                    case Entry.Branch ignored -> false;
                    case Entry.BranchAll ignored -> false;
                    case Entry.Foreach ignored -> false;
                };
        return isPlain ? Optional.ofNullable(planned(state, 0, 1, state.input()).planned()) : Optional.empty();
    }

    private Next after(WorkflowState state, Round last) {
        int place = Entries.place(workflow, last.planned().entry());
        return Objects.requireNonNull(last.closed()).again()
                ? planned(state, place, last.planned().iteration() + 1, last.output())
                : from(state, place + 1, 1, last.output(), false);
    }

    /** Return the facts of the end of the open round and of what follows. */
    List<Fact> next(WorkflowState state) {
        Round round = state.round();
        Entry entry = Entries.of(workflow, round.planned().entry());
        RoundEnd end = fitting(state, RoundEnd.of(entry, round));
        if (end.stop() != null) {
            return List.of(closed(round, checked(end.stop(), end.value()), false, end.text()));
        }
        WorkflowState over = state.after(closed(round, null, false, end.text()));
        int iteration = round.planned().iteration();
        boolean again = entry instanceof Entry.Loop loop
                && code.call(over, entry, iteration, context -> loop.again(end.value(), context));
        if (again && iteration >= most((Entry.Loop) entry)) {
            return List.of(closed(round, new StopReason.LimitReached(Limit.LOOP_ITERATIONS.key()), false, end.text()));
        }
        int place = Entries.place(workflow, entry.id());
        Next next =
                again ? planned(over, place, iteration + 1, end.value()) : from(over, place + 1, 1, end.value(), false);
        if (next.stop() != null) {
            String text =
                    next.value().equals(end.value()) ? end.text() : next.value().text();
            return List.of(closed(round, next.stop(), false, text));
        }
        return List.of(closed(round, null, again, end.text()), Objects.requireNonNull(next.planned()));
    }

    /** A round whose calls have made a shared state that does not fit has failed, unless it has already. */
    private RoundEnd fitting(WorkflowState state, RoundEnd end) {
        return end.stop() instanceof StopReason.Failed
                ? end
                : new StateCheck(run).failure(state).map(RoundEnd::failed).orElse(end);
    }

    private long most(Entry.Loop loop) {
        return Math.min(loop.atMost(), run.limit(Limit.LOOP_ITERATIONS));
    }

    private RoundFact.RoundClosed closed(
            Round round, @Nullable StopReason stop, boolean again, @Nullable String output) {
        return new RoundFact.RoundClosed(round.planned().round(), stop, again, output, run.now());
    }

    /** Call the maps from a place on, and plan the round of the entry after them. */
    private Next from(WorkflowState state, int place, int iteration, Json value, boolean isStart) {
        Json mapped = value;
        int at = place;
        while (at < workflow.entries().size() && workflow.entries().get(at) instanceof Entry.Mapping mapping) {
            Json before = mapped;
            mapped = code.call(state, mapping, 1, context -> mapping.apply(before, context));
            at++;
        }
        if (at < workflow.entries().size()) {
            return planned(state, at, iteration, mapped);
        }
        return isStart // only maps: a round without calls holds their result
                ? new Next(plans.withoutCalls(state, workflow.entries().getLast(), mapped), null, mapped)
                : new Next(null, checked(new StopReason.Finished(), mapped), mapped);
    }

    private Next planned(WorkflowState state, int place, int iteration, Json value) {
        Entry entry = workflow.entries().get(place);
        RoundFact.Planned planned = plans.of(state, entry, iteration, value);
        if (entry instanceof Entry.Foreach && planned.calls().size() > run.limit(Limit.FOREACH_ITEMS)) {
            return new Next(null, new StopReason.LimitReached(Limit.FOREACH_ITEMS.key()), value);
        }
        if (!run.root().ledger().reserveWorkflowCalls(planned.calls().size())) {
            return new Next(null, new StopReason.LimitReached(Limit.WORKFLOW_CALLS.key()), value);
        }
        return new Next(planned, null, value);
    }

    /** A run whose output does not fit has failed. */
    private StopReason checked(StopReason stop, Json output) {
        if (stop instanceof StopReason.Failed) {
            return stop;
        }
        List<String> violations = run.validation().violations("output of " + workflow.id(), workflow.output(), output);
        return violations.isEmpty()
                ? stop
                : new StopReason.Failed(
                        "step-failed",
                        (stop instanceof StopReason.Bailed bailed
                                        ? "Step '" + bailed.agentId()
                                                + "' bailed with an output that breaks the schema of workflow '"
                                                + workflow.id() + "': "
                                        : "The output of workflow '" + workflow.id() + "' breaks its schema: ")
                                + run.root().redactor().redact(String.join("; ", violations)) + ".",
                        false);
    }
}
