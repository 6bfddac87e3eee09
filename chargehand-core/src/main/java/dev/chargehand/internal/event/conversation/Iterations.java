package dev.chargehand.internal.event.conversation;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.Slot;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Emits the steps of an agent with sub-agents, which are iterations too. */
public final class Iterations extends PlainSteps {

    private final RunEvents events;
    private final int maxSteps;

    public Iterations(RunEvents events, int maxSteps) {
        super(events);
        this.events = events;
        this.maxSteps = maxSteps;
    }

    @Override
    public void began(int step) {
        events.emitOfStep(step, o -> new RunEvent.IterationStart(o, maxSteps));
        super.began(step);
    }

    @Override
    public void over(Fact.StepClosed closed, @Nullable String hook, ConversationState after, Duration took) {
        super.over(closed, hook, after, took);
        events.emit(
                closed.step(),
                Slot.ITERATION_END,
                o -> new RunEvent.IterationEnd(o, closed.stop(), hook, closed.feedback(), took));
    }

    @Override
    public void cutShort(int step, StopReason reason, Duration took, boolean answered) {
        super.cutShort(step, reason, took, answered);
        events.emit(
                step,
                answered ? Slot.ITERATION_END : null,
                o -> new RunEvent.IterationEnd(o, reason, null, List.of(), took));
    }
}
