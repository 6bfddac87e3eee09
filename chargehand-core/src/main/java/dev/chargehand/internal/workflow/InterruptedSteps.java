package dev.chargehand.internal.workflow;

import dev.chargehand.internal.agent.act.ParkedCalls;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.workflow.Step;
import java.time.Instant;
import java.util.Optional;

/** Decides about calls of steps that were being executed when their process died and that may not be executed again. */
public final class InterruptedSteps {

    /** The code of a run that failed because the outcome of a step is unknown. */
    static final String OUTCOME_UNKNOWN = "outcome-unknown";

    private InterruptedSteps() {}

    /** Have a call wait for a human, or close it if that is what its step is to do, or if the step is gone. */
    public static Fact decide(RunScope run, CallState call, Instant at) {
        Optional<Step<?, ?>> step = run.workflow().step(call.call().name());
        if (step.isPresent() && !step.get().failsIfInterrupted()) {
            return ParkedCalls.interrupted(run, call, step.get().output().json(), at);
        }
        String error = "The process died while step '" + call.call().name()
                + "' was being executed; its outcome is unknown, and it was not executed again.";
        ChildVerdict verdict = new ChildVerdict(null, OUTCOME_UNKNOWN, null);
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, null, verdict, null, at);
    }
}
