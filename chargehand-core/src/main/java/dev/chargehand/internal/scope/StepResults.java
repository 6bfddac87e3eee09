package dev.chargehand.internal.scope;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.RunId;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shows steps to application code.
 *
 * @param runs reads the runs of delegations from the store
 */
public record StepResults(Function<RunId, Optional<State>> runs) {

    /** Return all steps of a conversation, the open one included once its calls are over; none of another kind of run. */
    public List<StepResult> of(State run) {
        List<StepResult> results = new ArrayList<>();
        if (!(run instanceof ConversationState state)) {
            return results;
        }
        for (StepState step : state.steps()) {
            results.add(of(step));
        }
        if (state.open() != null && state.open().isSettled()) {
            results.add(of(state.open()));
        }
        return results;
    }

    /** Return one step. */
    public StepResult of(StepState step) {
        Fact.Answered answered = step.answered();
        List<ToolOutcome> outcomes = new ArrayList<>();
        for (CallState call : step.calls()) {
            outcomes.add(of(call));
        }
        return new StepResult(
                step.number(),
                answered.model(),
                step.text(),
                step.reasoning(),
                outcomes,
                answered.finish(),
                answered.usage());
    }

    /** Return the outcomes of all calls of a run, in order. */
    public List<ToolOutcome> toolResults(State state) {
        return of(state).stream().flatMap(step -> step.toolResults().stream()).toList();
    }

    private ToolOutcome of(CallState call) {
        Fact.CallOpened opened = call.opened();
        Fact.CallClosed closed = call.closed();
        ToolOutcome ended = ended(call).duration(call.duration());
        if (closed != null && closed.child() != null && call.isDelegation()) {
            return ended.delegation(new StoredDelegation(closed.child(), call.agentName(), this));
        }
        return opened == null || opened.child() == null
                ? ended
                : ended.childRunId(opened.child().runId());
    }

    private static ToolOutcome ended(CallState call) {
        String name = call.call().name();
        String arguments = call.call().arguments();
        Fact.CallClosed closed = call.closed();
        if (closed != null && closed.output() != null) {
            return ToolOutcome.succeeded(call.callId(), name, arguments, closed.output());
        }
        if (closed != null && closed.error() != null) {
            return ToolOutcome.failed(call.callId(), name, arguments, closed.error())
                    .detail(closed.detail());
        }
        return ToolOutcome.unfinished(call.callId(), name, arguments);
    }
}
