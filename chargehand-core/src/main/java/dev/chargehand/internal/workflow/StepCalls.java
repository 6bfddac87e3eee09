package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.act.CallExecutor;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Optional;

/** Executes the calls of steps. Thread-safe. */
record StepCalls(Workflow<?, ?> workflow) implements CallExecutor {

    @Override
    public Optional<Fact> execute(RunScope scope, State state, CallState call, BailArbiter siblings) {
        Optional<Step<?, ?>> step = workflow.step(call.call().name());
        return Optional.of(
                step.isEmpty()
                        ? ClosedCalls.failed(
                                call.callId(),
                                "Workflow '" + workflow.id() + "' has no step '"
                                        + call.call().name() + "' any more.",
                                null,
                                scope.now())
                        : new StepExecution(scope, (WorkflowState) state, call, step.get(), siblings).execute());
    }
}
