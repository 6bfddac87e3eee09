package dev.chargehand.step;

import dev.chargehand.model.FinishReason;
import dev.chargehand.run.Usage;
import java.util.List;

/**
 * One step of a run: a model's answer and how its tool calls ended.
 *
 * @param number from 1
 * @param model the model that answered
 * @param text what it said; in a network, what the step came to; may be empty
 * @param reasoning the reasoning text that it exposes; may be empty
 * @param toolResults how its calls ended, in call order
 * @param finishReason why it stopped
 * @param usage the tokens of the answer, without nested runs
 */
public record StepResult(
        int number,
        String model,
        String text,
        String reasoning,
        List<ToolOutcome> toolResults,
        FinishReason finishReason,
        Usage usage) {

    public StepResult {
        toolResults = List.copyOf(toolResults);
    }
}
