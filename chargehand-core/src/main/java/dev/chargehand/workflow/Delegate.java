package dev.chargehand.workflow;

import dev.chargehand.annotation.Experimental;

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
}
