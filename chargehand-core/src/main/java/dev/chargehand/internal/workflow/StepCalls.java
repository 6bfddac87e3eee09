package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.act.CallExecutor;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.agent.delegation.ChildCall;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Map;
import java.util.Optional;

/**
 * Executes the calls of steps. Thread-safe.
 *
 * @param children what steps delegate to, by the ids of the steps
 * @param faults why nested runs cannot start, by the ids of their calls
 */
record StepCalls(Workflow<?, ?> workflow, Map<String, RunDefinition> children, Map<String, String> faults)
        implements CallExecutor {

    @Override
    public Optional<Fact> execute(RunScope scope, State state, CallState call, BailArbiter siblings) {
        String name = call.call().name();
        Optional<Step<?, ?>> step = workflow.step(name);
        RunDefinition child = children.get(name);
        boolean cannotStart = child != null
                && !call.isOpenDelegation()
                && step.isPresent()
                && step.get().recovers();
        if (step.isEmpty() || (call.isOpenDelegation() != (child != null) && !cannotStart)) {
            return Optional.of(new ChildCall(scope, state, call)
                    .gone("Workflow '" + workflow.id() + "' has no step '" + name + "' any more that is what it was."));
        }
        StepExecution execution = new StepExecution(scope, (WorkflowState) state, call, step.get(), siblings);
        if (cannotStart) {
            String fault = faults.remove(call.callId());
            return Optional.of(execution.recovered(
                    execution.fault().orElse(fault == null ? "The run of step '" + name + "' could not start." : fault),
                    null));
        }
        return child == null
                ? Optional.of(execution.execute())
                : new ChildStepExecution(scope, child, execution).execute(new ChildCall(scope, state, call));
    }
}
