package dev.chargehand.internal.event.conversation;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.StepDecision;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.Slot;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.ModelStep;
import dev.chargehand.internal.state.RouterStep;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.value.RoutingDecision;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Emits the steps of a network, as decisions of its router. Used by one thread. */
public final class NetworkSteps implements StepEvents {

    private final RunEvents events;
    private final int maxSteps;

    public NetworkSteps(RunEvents events, int maxSteps) {
        this.events = events;
        this.maxSteps = maxSteps;
    }

    @Override
    public void began(int step) {
        events.emitOfStep(step, o -> new RunEvent.RoutingAgentStart(o, maxSteps));
    }

    @Override
    public void answered(StepState step, Duration took) {
        RoutingDecision decision = decisionOf(step);
        if (decision != null && decision.isAnswer()) {
            said(step.number(), decision.prompt());
        }
        events.emit(step.number(), Slot.ROUTING_AGENT_END, o -> end(o, decision, took));
    }

    /** An answer that was cut, and the one after a stop with feedback, are no decisions. */
    private static @Nullable RoutingDecision decisionOf(StepState step) {
        return switch (step) {
            case RouterStep routed -> routed.decision();
            case ModelStep ignored -> null;
        };
    }

    /** Emit a router's choice of an agent as its decision and as the delegation, not as a call of that agent. */
    @Override
    public boolean emitsCall(CallState call) {
        return !call.isDelegation();
    }

    @Override
    public void decided(Fact.StepClosed closed) {
        if (closed.answer() != null) {
            said(closed.step(), closed.answer());
        }
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

    /** Emit a text for the user that was a part of something else as it arrived. */
    private void said(int step, String text) {
        events.emitText(step, events.runId() + "." + step + ".said", text);
    }

    @Override
    public void over(Fact.StepClosed closed, @Nullable String hook, ConversationState after, Duration took) {
        StepState step = after.steps().getLast();
        String text = closed.stop() instanceof StopReason.Bailed ? after.text() : step.text();
        RoutingDecision decision = decisionOf(step);
        events.emit(
                closed.step(),
                Slot.NETWORK_STEP_FINISH,
                o -> new RunEvent.NetworkStepFinish(
                        o,
                        decision == null ? null : decision.primitiveId(),
                        decision == null ? null : decision.primitiveType(),
                        text,
                        new StepDecision(closed.stop(), hook, closed.feedback()),
                        step.answered().usage(),
                        took));
    }

    @Override
    public void cutShort(int step, StopReason reason, Duration took, boolean answered) {
        if (!answered) {
            events.emit(step, o -> end(o, null, took));
        }
        StepDecision decision = new StepDecision(reason, null, List.of());
        events.emit(
                step,
                answered ? Slot.NETWORK_STEP_FINISH : null,
                o -> new RunEvent.NetworkStepFinish(o, null, null, "", decision, Usage.NONE, took));
    }

    @Override
    public void runOver(ConversationState after, StopReason reason) {
        int iterations = after.steps().size();
        Usage usage = after.spent().totalUsage();
        events.emit(
                after.stepNumber(),
                Slot.NETWORK_FINISH,
                o -> new RunEvent.NetworkFinish(o, after.text(), reason, iterations, usage, after.activeTime()));
    }
}
