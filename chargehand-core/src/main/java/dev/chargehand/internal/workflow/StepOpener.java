package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.act.CallOpener;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Optional;

/** Opens the calls of steps whose input fits. Thread-safe. */
record StepOpener(RunScope run, Workflow<?, ?> workflow) implements CallOpener {

    @Override
    public boolean callsForeignCode(List<CallState> calls) {
        return false;
    }

    @Override
    public Fact open(State state, CallState call) {
        Optional<Step<?, ?>> step = workflow.step(call.call().name());
        if (step.isEmpty()) {
            return failed(
                    call,
                    "Workflow '" + workflow.id() + "' has no step '"
                            + call.call().name() + "' any more.");
        }
        Json input = Json.parse(call.call().arguments());
        List<String> violations = run.validation()
                .violations("input of " + step.get().id(), step.get().input(), input);
        if (!violations.isEmpty()) {
            return failed(
                    call,
                    "The input of step '" + step.get().id() + "' breaks its schema: " + String.join("; ", violations)
                            + ".");
        }
        CallKind kind = step.get().isRepeatable() ? CallKind.REPEATABLE : CallKind.UNSAFE;
        return new Fact.CallOpened(call.callId(), kind, ArgumentDigest.of(input), null, run.now());
    }

    private Fact failed(CallState call, String error) {
        return ClosedCalls.failed(call.callId(), run.root().redactor().redact(error), null, run.now());
    }
}
