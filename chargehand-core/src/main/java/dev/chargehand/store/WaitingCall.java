package dev.chargehand.store;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a run that waits, as a store lists it: for an answer from outside, or for a time.
 *
 * @param runId the run that makes the call
 * @param callId the call
 * @param waitNumber how often the call has waited, this time included, from 1
 * @param kind what it waits for
 * @param toolName the tool, or the step of a workflow
 * @param requester on whose behalf the run works, or null
 * @param expiresAt from when on it counts as declined; of a timer, the time it waits for
 * @param since since when it waits
 * @param description what approvers are shown, as {@link dev.chargehand.approval.PendingApproval#toJson} writes it; null for a timer, and for
 *     a call that an earlier version stored
 */
public record WaitingCall(
        RunId runId,
        String callId,
        int waitNumber,
        WaitKind kind,
        String toolName,
        @Nullable String requester,
        Instant expiresAt,
        Instant since,
        @Nullable Json description) {

    public WaitingCall {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(callId, "callId");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(toolName, "toolName");
        Objects.requireNonNull(expiresAt, "expiresAt");
        Objects.requireNonNull(since, "since");
    }
}
