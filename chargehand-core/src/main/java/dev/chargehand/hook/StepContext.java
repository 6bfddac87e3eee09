package dev.chargehand.hook;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import java.util.List;

/**
 * The context of hooks that inspect a step.
 *
 * @param run the run
 * @param step the number of the step, from 1
 * @param maxSteps how many steps the run may make
 * @param steps the steps so far, the one that is being decided included
 * @param messages the conversation so far, as the model would see it without instructions
 */
public record StepContext(RunInfo run, int step, int maxSteps, List<StepResult> steps, List<Message> messages) {

    public StepContext {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
    }

    /** Return the text of the latest step; empty before the first. */
    public String text() {
        return steps.isEmpty() ? "" : steps.getLast().text();
    }
}
