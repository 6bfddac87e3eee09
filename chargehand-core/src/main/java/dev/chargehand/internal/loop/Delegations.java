package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.step.ToolOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the child run of an opened delegation: from its beginning, or from where a crash left it. */
@FunctionalInterface
public interface Delegations {

    /**
     * How a child run ended, as the application may know it.
     *
     * @param end what goes on record
     * @param toolResults how its own tool calls ended
     * @param thread its thread, or null
     */
    record Ended(
            Fact.ChildEnd end,
            List<ToolOutcome> toolResults,
            @Nullable String thread) {
        public Ended {
            toolResults = List.copyOf(toolResults);
        }
    }

    /** Advances the child run until it ends; it never throws for a child that failed. */
    Ended run(RunScope parent, State state, CallState call);
}
