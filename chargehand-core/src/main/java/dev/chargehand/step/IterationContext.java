package dev.chargehand.step;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import java.util.List;

/**
 * A step that is about to be decided.
 *
 * @param run the run
 * @param iteration the number of the step, from 1
 * @param maxSteps how many steps the run may make
 * @param originalTask what the run was asked for: the text of its input
 * @param currentStep what the model said and called in this step, and how the calls ended
 * @param steps every step so far, this one included
 * @param messages the conversation so far, this step included, without instructions
 * @param subAgentsInvoked the ids of the sub-agents that were called so far, each once, in order of their first call
 * @param isFinal whether the run ends with this step unless feedback lets it go on: the model has finished, a
 *     delegation bailed, or no step is left
 */
public record IterationContext(
        RunInfo run,
        int iteration,
        int maxSteps,
        String originalTask,
        StepResult currentStep,
        List<StepResult> steps,
        List<Message> messages,
        List<String> subAgentsInvoked,
        boolean isFinal) {

    public IterationContext {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
        subAgentsInvoked = List.copyOf(subAgentsInvoked);
    }

    /** Returns what the model said in this step; in a network, what the step came to; may be empty. */
    public String text() {
        return currentStep.text();
    }
}
