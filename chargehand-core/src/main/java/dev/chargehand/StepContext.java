package dev.chargehand;

import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.List;

/**
 * What hooks that look at a step are told.
 *
 * @param runId the run
 * @param path its agent
 * @param step the number of the step, from 1
 * @param maxSteps how many steps the run may make
 * @param steps the steps so far, the one that is being decided included
 * @param messages the conversation so far, as the model would see it without instructions
 * @param requestContext the values of the request
 */
public record StepContext(
        RunId runId,
        AgentPath path,
        int step,
        int maxSteps,
        List<StepResult> steps,
        List<Message> messages,
        RequestContext requestContext) {

    public StepContext {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
    }

    /** Returns the text of the latest step; empty before the first. */
    public String text() {
        return steps.isEmpty() ? "" : steps.getLast().text();
    }
}
