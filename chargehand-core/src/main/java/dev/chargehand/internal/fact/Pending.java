package dev.chargehand.internal.fact;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import java.util.Objects;

/** Describes a call that waits to those who may answer. */
public final class Pending {

    private Pending() {}

    /** Describes a parked call of a run. */
    public static PendingApproval of(State state, CallState call) {
        Fact.CallParked parked = Objects.requireNonNull(call.parked());
        Fact.ThreadLink thread = state.started().thread();
        return new PendingApproval(
                state.started().rootRunId(),
                state.runId(),
                state.path(),
                call.callId(),
                parked.round(),
                parked.kind(),
                call.call().name(),
                Json.parse(call.call().arguments()),
                parked.digest(),
                parked.payload(),
                parked.dataSchema(),
                parked.requester(),
                thread == null ? null : thread.id(),
                thread == null ? null : thread.owner().resourceId(),
                parked.at(),
                parked.expiresAt());
    }
}
