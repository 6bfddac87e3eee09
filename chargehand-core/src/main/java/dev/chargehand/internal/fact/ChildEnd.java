package dev.chargehand.internal.fact;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;

/** How a delegation ended. */
public record ChildEnd(RunId runId, String agentId, RunStatus status, StopReason stop, String text, Spending spent) {
    public ChildEnd {
        Parts.require(runId, agentId, status, stop, text, spent);
    }
}
