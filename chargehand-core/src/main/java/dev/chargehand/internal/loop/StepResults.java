package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.StepState;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows steps to application code. */
public final class StepResults {

    private StepResults() {}

    /** Returns all steps, the open one included once its calls are over. */
    public static List<StepResult> of(State state) {
        List<StepResult> results = new ArrayList<>();
        state.steps().forEach(step -> results.add(of(step)));
        if (state.open() != null && state.open().isSettled()) {
            results.add(of(state.open()));
        }
        return results;
    }

    /** Returns one step. */
    public static StepResult of(StepState step) {
        Fact.Answered answered = step.answered();
        return new StepResult(
                step.number(),
                answered.model(),
                step.text(),
                step.reasoning(),
                step.calls().stream().map(StepResults::of).toList(),
                answered.finish(),
                answered.usage());
    }

    private static ToolOutcome of(CallState call) {
        Fact.CallOpened opened = call.opened();
        Fact.CallClosed closed = call.closed();
        Duration took = opened == null || closed == null || closed.at().isBefore(opened.at())
                ? Duration.ZERO
                : Duration.between(opened.at(), closed.at());
        return new ToolOutcome(
                call.callId(),
                call.call().name(),
                call.call().arguments(),
                closed == null ? null : closed.output(),
                closed == null ? null : closed.error(),
                closed == null ? null : closed.detail(),
                opened == null || opened.child() == null ? null : opened.child().runId(),
                took);
    }
}
