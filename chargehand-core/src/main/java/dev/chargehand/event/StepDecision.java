package dev.chargehand.event;

import dev.chargehand.run.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a step.
 *
 * @param stopReason the reason why the run ends with the step, or null if the run continues
 * @param hook {@code proceed} or {@code stop}, as {@code onIterationComplete} decided; null if it decided nothing
 * @param feedback the texts of hooks and scorers that the model receives before its next answer
 */
public record StepDecision(
        @Nullable StopReason stopReason, @Nullable String hook, List<String> feedback) {

    public StepDecision {
        feedback = List.copyOf(feedback);
    }
}
