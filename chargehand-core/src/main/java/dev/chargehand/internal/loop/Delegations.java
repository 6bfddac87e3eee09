package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.ToolOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the child runs of opened delegations: from their beginning, or from where they were left. */
public interface Delegations {

    /**
     * How a child run ended, as the application may know it.
     *
     * @param end what goes on record
     * @param toolResults looks up how its own tool calls ended
     * @param thread its thread, or null
     */
    record Ended(
            Fact.ChildEnd end,
            Supplier<List<ToolOutcome>> toolResults,
            @Nullable String thread) {}

    /** Advances the child run until it ends, or can only wait; it never throws for a child that failed. */
    Optional<Ended> run(RunScope parent, State state, CallState call);

    /** Returns when the first of what a suspended child run waits for expires. */
    Instant waitsUntil(CallState call);

    /** Tells whether the child run has begun, before a crash or a suspension. */
    boolean hasBegun(CallState call);

    /** Returns what goes on record of a child run that is about to be ended where it stands. */
    Fact.ChildEnd soFar(CallState call, StopReason reason);

    /** Ends a child run that nobody advances, with everything below it; what hinders that is logged. */
    void end(RunScope parent, CallState call, StopReason reason);
}
