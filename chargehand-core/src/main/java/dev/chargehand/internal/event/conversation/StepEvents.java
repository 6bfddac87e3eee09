package dev.chargehand.internal.event.conversation;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Emits the steps of a run in the way of its kind. Used by the run's own thread only. */
public interface StepEvents {

    /** Emit that the model is about to be called. */
    void began(int step);

    /** Emit what an answer means beyond its calls. */
    void answered(StepState step, Duration took);

    /** Return whether a call and its result are events of their own. */
    boolean emitsCall(CallState call);

    /** Emit that a step is decided, before the events of how it was decided. */
    void decided(Fact.StepClosed closed);

    /**
     * Emit that a step is over.
     *
     * @param hook the decision of a hook, or null
     */
    void over(Fact.StepClosed closed, @Nullable String hook, ConversationState after, Duration took);

    /**
     * Emit that a step is cut short by the end of the run.
     *
     * @param answered whether the model had answered: that the step had started otherwise, no fact says
     */
    void cutShort(int step, StopReason reason, Duration took, boolean answered);

    /** Emit that the run is over, and neither failed nor was cancelled. */
    void runOver(ConversationState after, StopReason reason);
}
