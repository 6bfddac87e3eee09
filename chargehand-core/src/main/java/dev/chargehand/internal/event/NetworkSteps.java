package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.StepDecision;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.RoutingDecision;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports the steps of a network, as decisions of its router. Used by one thread. */
final class NetworkSteps {

    private final RunEvents events;
    private final int maxSteps;
    private boolean routing;

    NetworkSteps(RunEvents events, int maxSteps) {
        this.events = events;
        this.maxSteps = maxSteps;
    }

    /** Report that the router is about to be asked. */
    void began(int step) {
        routing = true;
        events.emit(step, o -> new RunEvent.RoutingAgentStart(o, maxSteps));
    }

    /** Report what the router decided. */
    void decided(StepState step, Duration took) {
        routing = false;
        RoutingDecision decision = step.decision();
        if (decision != null && decision.isAnswer()) {
            said(step.number(), decision.prompt());
        }
        events.emit(step.number(), o -> end(o, decision, took));
    }

    private static RunEvent end(Origin origin, @Nullable RoutingDecision decision, Duration took) {
        return decision == null
                ? new RunEvent.RoutingAgentEnd(origin, null, null, null, null, took)
                : new RunEvent.RoutingAgentEnd(
                        origin,
                        decision.primitiveId(),
                        decision.primitiveType(),
                        decision.prompt(),
                        decision.selectionReason(),
                        took);
    }

    /** Report a text for the user that was a part of something else as it arrived. */
    void said(int step, String text) {
        if (!text.isEmpty()) {
            String id = events.runId() + "." + step + ".said";
            events.emit(step, o -> new RunEvent.TextStart(o, id));
            events.emit(step, o -> new RunEvent.TextDelta(o, id, text));
            events.emit(step, o -> new RunEvent.TextEnd(o, id, Duration.ZERO));
        }
    }

    /** Report that a step is over. */
    void over(Fact.StepClosed closed, @Nullable String hook, State after, Duration took) {
        StepState step = after.steps().getLast();
        String text = closed.stop() instanceof StopReason.Bailed ? after.text() : step.text();
        RoutingDecision decision = step.decision();
        events.emit(
                closed.step(),
                o -> new RunEvent.NetworkStepFinish(
                        o,
                        decision == null ? null : decision.primitiveId(),
                        decision == null ? null : decision.primitiveType(),
                        text,
                        new StepDecision(closed.stop(), hook, closed.feedback()),
                        step.answered().usage(),
                        took));
    }

    /** Report that a step is cut short by the end of the run. */
    void cutShort(int step, StopReason reason, Duration took) {
        if (routing) {
            routing = false;
            events.emit(step, o -> end(o, null, took));
        }
        StepDecision decision = new StepDecision(reason, null, List.of());
        events.emit(step, o -> new RunEvent.NetworkStepFinish(o, null, null, "", decision, Usage.NONE, took));
    }

    /** Report that the network is over. */
    void runOver(State after, StopReason reason) {
        int iterations = after.steps().size();
        Usage usage = after.spent().totalUsage();
        events.emit(
                after.stepNumber(),
                o -> new RunEvent.NetworkFinish(o, after.text(), reason, iterations, usage, after.activeTime()));
    }
}
