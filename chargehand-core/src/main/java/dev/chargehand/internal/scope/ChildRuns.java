package dev.chargehand.internal.scope;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.ToolOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the child runs of opened delegations: from their start, or from where they were left. */
public interface ChildRuns {

    /**
     * How a child run ended, as the application may know it.
     *
     * @param end what continues record
     * @param output what a workflow gave, if it completed, or the object of an agent's structured output
     * @param definition what was executed, in its version, or null if the run did not continue here
     * @param toolResults looks up how its own tool calls ended
     * @param thread its thread, or null
     * @param cause the exception that made it fail in this process, or null
     */
    record Ended(
            ChildEnd end,
            Optional<Json> output,
            @Nullable RunDefinition definition,
            Supplier<List<ToolOutcome>> toolResults,
            @Nullable String thread,
            @Nullable Throwable cause) {}

    /** Advance the child run until it ends, or can only wait; it never throws for a child that failed. */
    Optional<Ended> run(RunScope parent, State state, CallState call);

    /** Read a child run from the store, if it exists. */
    Optional<State> find(RunId runId);

    /** Return when the first of what a suspended child run waits for expires. */
    Instant waitsUntil(CallState call);

    /** Return whether the child run has started, before a crash or a suspension. */
    boolean hasStarted(CallState call);

    /**
     * Prepare the ends of the child runs of open delegations, with their descendants. No process executes these runs.
     * A run that cannot be read is left as it is, and logged.
     */
    ChildEnds ends(RunScope parent, List<CallState> delegations, StopReason reason);

    /** End a child run that no process executes, with its descendants, and return how it ended. */
    ChildEnd end(RunScope parent, CallState call, StopReason reason);
}
