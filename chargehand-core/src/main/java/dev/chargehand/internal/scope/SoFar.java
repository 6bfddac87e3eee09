package dev.chargehand.internal.scope;

import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.step.StepResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps and messages of a run as hooks and scorers see them. Both are made when they are asked for, since most hooks
 * ask for neither: after ten steps a hook that does nothing allocates a quarter of what it did. Thread-safe.
 */
public final class SoFar {

    private final StepResults results;
    private final ConversationState state;
    private volatile @Nullable List<StepResult> steps;
    private volatile @Nullable List<Message> messages;

    SoFar(StepResults results, ConversationState state) {
        this.results = results;
        this.state = state;
    }

    /** Return all steps, the open one included once its calls are over. */
    public List<StepResult> steps() {
        List<StepResult> known = steps;
        if (known == null) {
            known = List.copyOf(results.of(state));
            steps = known;
        }
        return known;
    }

    /** Return the conversation so far, without instructions. */
    public List<Message> messages() {
        List<Message> known = messages;
        if (known == null) {
            known = List.copyOf(Transcript.conversation(state));
            messages = known;
        }
        return known;
    }
}
