package dev.chargehand.completion;

import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import java.util.List;

/** An answer that is to be scored, and what led to it. Thread-safe. */
public interface ScorerContext {

    /** Return the run. */
    RunInfo run();

    /** Return the number of the step that gave the answer, from 1. */
    int step();

    /** Return the answer: the text of the step; in a network, what the step came to. */
    String text();

    /** Return the task of the run: the text of its input. */
    String originalTask();

    /** Return every step so far, the one that gave the answer included. */
    List<StepResult> steps();

    /** Return the conversation so far, the answer included, without instructions. */
    List<Message> messages();

    /** Return how the run's own tool calls and delegations ended, in order. */
    default List<ToolOutcome> toolResults() {
        return steps().stream().flatMap(step -> step.toolResults().stream()).toList();
    }

    /**
     * Ask a model, as a judge does: without tools, with the run's retries and time limits. Its tokens count in the
     * run's total usage and budget.
     *
     * @throws dev.chargehand.error.ModelException if no model of the choice answered
     * @throws dev.chargehand.error.ChargehandException if a budget or limit of the run is spent
     */
    ModelResponse ask(ModelChoice model, List<Message> messages);
}
