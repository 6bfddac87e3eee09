package dev.chargehand.store;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a run that waits for an answer from outside, as a store lists it.
 *
 * @param runId the run that makes the call
 * @param callId the call
 * @param waitNumber how often the call has waited, this time included, from 1
 * @param kind what it waits for
 * @param toolName the tool
 * @param requester on whose behalf the run works, or null
 * @param expiresAt from when on it counts as declined
 */
public record WaitingCall(
        RunId runId,
        String callId,
        int waitNumber,
        PendingApproval.Kind kind,
        String toolName,
        @Nullable String requester,
        Instant expiresAt) {

    public WaitingCall {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(callId, "callId");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(toolName, "toolName");
        Objects.requireNonNull(expiresAt, "expiresAt");
    }
}
