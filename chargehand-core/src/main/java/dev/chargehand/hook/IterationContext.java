package dev.chargehand.hook;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import java.util.List;

/**
 * A step that is about to be decided. Immutable.
 *
 * <p>Implemented by Chargehand only: later versions may add accessors.
 */
public interface IterationContext {

    /** Return the run. */
    RunInfo run();

    /** Return the number of the step, from 1. */
    int iteration();

    /** Return the maximum number of steps of the run. */
    int maxSteps();

    /** Return the text of the run's input. */
    String originalTask();

    /** Return the step: the model's answer, its calls and their outcomes. */
    StepResult currentStep();

    /** Return every step so far, including this one. */
    List<StepResult> steps();

    /** Return the conversation so far, including this step, without instructions. */
    List<Message> messages();

    /** Return the ids of the sub-agents that were called so far, each once, in order of their first call. */
    List<String> subAgentsInvoked();

    /** Return the ids of the sub-agents that were called in this step, each once, in order of their first call. */
    List<String> subAgentsInvokedInThisIteration();

    /**
     * Return whether the run ends with this step unless feedback lets it continue: the model has finished, a delegation
     * bailed, or no step is left.
     */
    boolean isFinal();

    /** Return the text of this step; in a network, the result of its primitive; may be empty. */
    default String text() {
        return currentStep().text();
    }
}
