package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.Planned;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.fact.RoundFact.StepEffects;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.WorkflowState;
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
 * @param start the run before its first round
 * @param facts the facts of the rounds
 */
record CopiedRounds(WorkflowState start, List<Fact> facts) {

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
        return new CopiedRounds(start, all);
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
        return new CopiedRounds(start, without);
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
        return new CopiedRounds(start, changed);
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
            throw new ConfigurationException("Fork of run " + start.runId() + ": no call at '" + path
                    + "' is copied, so that it has no output to replace. Name a step that ran before the fork"
                    + " continues, or an item such as notify[3].");
        }
        Optional<Step<?, ?>> step = workflow.step(found.step());
        List<String> violations =
                step.map(each -> each.output().violations(output)).orElse(List.of());
        if (!violations.isEmpty()) {
            throw new ConfigurationException("Fork of run " + start.runId() + ": the output for '" + path
                    + "' breaks the schema of the step: " + String.join("; ", violations) + ".");
        }
        return found.callId();
    }
}
