package dev.chargehand.processor;

import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunInfo;
import java.util.List;

/** The context of a processor's call. Thread-safe. */
public interface ProcessorContext {

    /** Return the run. */
    RunInfo run();

    /** Return the values of the request. */
    default RequestContext requestContext() {
        return run().requestContext();
    }

    /** Return the number of the step, from 1; 0 for the input of a run. */
    int step();

    /** Return the agent's instructions, which are sent before the conversation; empty if it has none. */
    String instructions();

    /**
     * Return the conversation so far as the model sees it, without instructions; for the input of a run it is what was
     * forwarded to a delegation, and else empty.
     */
    List<Message> messages();

    /** Return how many answers of the run processors have had made again. */
    int retryCount();

    /**
     * Ask a model, as a judge does: without tools, with the run's retries and time limits. Its tokens count in the
     * run's total usage and budget.
     *
     * @throws dev.chargehand.error.ModelException if no model of the choice answered
     * @throws dev.chargehand.error.ChargehandException if a budget or limit of the run is spent
     */
    ModelResponse ask(ModelChoice model, List<Message> messages);
}
