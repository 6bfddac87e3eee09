package dev.chargehand.workflow;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.annotation.Experimental;
import dev.chargehand.model.ModelChoice;
import java.util.Optional;
import java.util.function.Function;

/**
 * What does the work of a step in a run of its own: an agent, or a nested workflow. The framework implements it; {@code
 * Agent.asStep} and {@link Workflow#asStep} make such steps.
 *
 * <p>Immutable and thread-safe.
 */
@Experimental
public interface Delegate {

    /** Return the id of the agent or workflow. */
    String id();

    /**
     * Return the same with other models for all agents of it.
     *
     * @param models returns the models of an agent, by its id; empty to keep its own
     */
    @CheckReturnValue
    Delegate withModels(Function<String, Optional<ModelChoice>> models);
}
