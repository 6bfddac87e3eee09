package dev.chargehand.internal.event.conversation;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.Slot;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Emits the steps of an agent. */
public class PlainSteps implements StepEvents {

    private final RunEvents events;

    public PlainSteps(RunEvents events) {
        this.events = events;
    }

    @Override
    public void began(int step) {
        events.emitOfStep(step, RunEvent.StepStart::new);
    }

    @Override
    public void answered(StepState step, Duration took) {}

    @Override
    public boolean emitsCall(CallState call) {
        return true;
    }

    @Override
    public void decided(Fact.StepClosed closed) {}

    @Override
    public void over(Fact.StepClosed closed, @Nullable String hook, ConversationState after, Duration took) {
        StepState step = after.steps().getLast();
        String finish = step.answered().finish().name().toLowerCase(Locale.ROOT).replace('_', '-');
        events.emit(
                step.number(),
                Slot.STEP_FINISH,
                o -> new RunEvent.StepFinish(
                        o, finish, step.calls().size(), step.answered().usage(), took));
    }

    @Override
    public void cutShort(int step, StopReason reason, Duration took, boolean answered) {
        String finish = reason.status() == RunStatus.ABORTED ? "aborted" : reason.code();
        events.emit(
                step, answered ? Slot.STEP_FINISH : null, o -> new RunEvent.StepFinish(o, finish, 0, Usage.NONE, took));
    }

    @Override
    public void runOver(ConversationState after, StopReason reason) {}
}
