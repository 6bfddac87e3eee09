package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.Planned;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.fact.RoundFact.StepEffects;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.workflow.Misfit;
import dev.chargehand.internal.workflow.RoundEnd;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Complete rounds of a workflow's run, for a run that continues after them.
 *
 * @param above what precedes the paths in the run, such as {@code pricing.} in a nested run
 * @param start the run before its first round
 * @param facts the facts of the rounds
 */
record CopiedRounds(String above, WorkflowState start, List<Fact> facts) {

    /** Of more paths than these an error names the first. */
    private static final int MOST_PATHS = 20;

    CopiedRounds {
        facts = List.copyOf(facts);
    }

    Fact.Started started() {
        return start.started();
    }

    /** Return how many rounds there are. */
    int count() {
        return (int) facts.stream().filter(Planned.class::isInstance).count();
    }

    /**
     * Require that a workflow has the entries of the rounds.
     *
     * @throws ConfigurationException if it lacks one
     */
    void requireEntries(Workflow<?, ?> workflow) {
        for (Fact fact : facts) {
            if (fact instanceof Planned planned && entry(workflow, planned).isEmpty()) {
                throw new ConfigurationException("Workflow '" + workflow.id() + "' of version '" + workflow.version()
                        + "' has no entry '" + planned.entry() + "', which the copied rounds of run " + start.runId()
                        + " have. Fork it before that entry, or continue with a workflow that has it.");
            }
        }
    }

    private static Optional<Entry> entry(Workflow<?, ?> workflow, Planned planned) {
        return workflow.entries().stream()
                .filter(entry -> entry.id().equals(planned.entry()))
                .findFirst();
    }

    /** Return the run after them. */
    WorkflowState end() {
        WorkflowState state = start;
        for (Fact fact : facts) {
            state = state.after(fact);
        }
        return state;
    }

    /** Return the rounds and more of them. */
    CopiedRounds plus(List<Fact> more) {
        List<Fact> all = new ArrayList<>(facts);
        all.addAll(more);
        return new CopiedRounds(above, start, all);
    }

    /** Return the rounds without their changes of the shared state. */
    CopiedRounds withoutChanges() {
        List<Fact> without = new ArrayList<>();
        for (Fact fact : facts) {
            if (fact instanceof Fact.CallClosed closed && closed.effects() != null) {
                without.add(with(closed, closed.effects().spent()));
            } else if (fact instanceof Fact.CallParked parked) {
                without.add(withoutChange(parked));
            } else {
                without.add(fact);
            }
        }
        return new CopiedRounds(above, start, without);
    }

    private static Fact.CallParked withoutChange(Fact.CallParked parked) {
        return new Fact.CallParked(
                parked.callId(),
                parked.waitNumber(),
                parked.kind(),
                parked.digest(),
                parked.requester(),
                parked.payload(),
                parked.dataSchema(),
                null,
                parked.expiresAt(),
                parked.at());
    }

    private static Fact.CallClosed with(Fact.CallClosed closed, Spending spent) {
        return new Fact.CallClosed(
                closed.callId(),
                closed.output(),
                closed.view(),
                closed.error(),
                closed.detail(),
                closed.refusal(),
                closed.child(),
                closed.verdict(),
                StepEffects.of(null, spent),
                closed.at());
    }

    /**
     * Return the rounds with other outputs of calls: of each path, that of its last call.
     *
     * @throws ConfigurationException if no call has a path, or an output breaks the schema of its step
     */
    CopiedRounds withOutputs(Workflow<?, ?> workflow, Map<String, Json> outputs) {
        Map<String, Json> byCall = new HashMap<>();
        outputs.forEach((path, output) -> byCall.put(callAt(workflow, path, output), output));
        List<Fact> changed = new ArrayList<>();
        WorkflowState state = start;
        boolean isReplaced = false;
        for (Fact fact : facts) {
            Fact now = fact;
            if (fact instanceof Fact.CallClosed closed && byCall.containsKey(closed.callId())) {
                now = replaced(closed, byCall.get(closed.callId()));
                isReplaced = true;
            } else if (fact instanceof RoundFact.RoundClosed closed && isReplaced) {
                Entry entry = entry(workflow, state.round().planned()).orElseThrow();
                String output = RoundEnd.of(entry, state.round()).text();
                now = new RoundFact.RoundClosed(closed.round(), closed.stop(), closed.again(), output, closed.at());
                isReplaced = false;
            }
            state = state.after(now);
            changed.add(now);
        }
        return new CopiedRounds(above, start, changed);
    }

    private static Fact.CallClosed replaced(Fact.CallClosed closed, @Nullable Json output) {
        return new Fact.CallClosed(
                closed.callId(), output, null, null, null, null, closed.child(), null, closed.effects(), closed.at());
    }

    private String callAt(Workflow<?, ?> workflow, String path, Json output) {
        PlannedCall found = null;
        for (Fact fact : facts) {
            if (fact instanceof Planned planned) {
                found = planned.calls().stream()
                        .filter(call -> call.path().equals(path))
                        .findFirst()
                        .orElse(found);
            }
        }
        if (found == null) {
            throw new ConfigurationException(what() + "no call at '" + above + path
                    + "' is copied, so that it has no output to replace. Outputs can be replaced at: " + paths() + ".");
        }
        Optional<Step<?, ?>> step = workflow.step(found.step());
        if (step.isPresent()) {
            Misfit.reject(
                    what() + "the output for '" + above + path + "' breaks the schema of the step",
                    step.get().output(),
                    output);
        }
        return found.callId();
    }

    private String what() {
        return "Fork of run " + started().rootRunId() + ": ";
    }

    private String paths() {
        List<String> paths = facts.stream()
                .filter(Planned.class::isInstance)
                .flatMap(fact -> ((Planned) fact).calls().stream())
                .map(call -> above + call.path())
                .distinct()
                .limit(MOST_PATHS + 1L)
                .toList();
        if (paths.isEmpty()) {
            return "nothing, since no call is copied";
        }
        return paths.size() > MOST_PATHS
                ? String.join(", ", paths.subList(0, MOST_PATHS)) + ", …"
                : String.join(", ", paths);
    }

    /**
     * Require that the shared state which the rounds have made fits a workflow that continues.
     *
     * @throws ConfigurationException if it does not
     */
    void requireState(Workflow<?, ?> workflow) {
        if (workflow.state().isPresent()) {
            Misfit.reject(
                    what() + "the shared state after the copied rounds"
                            + (above.isEmpty() ? "" : " before '" + above + "…'")
                            + " breaks the schema of workflow '" + workflow.id() + "' of version '" + workflow.version()
                            + "'; give another one with state(...), or continue before an earlier entry",
                    workflow.state().get(),
                    end().shared());
        }
    }
}
