package dev.chargehand.internal.loop;

import dev.chargehand.approval.ApprovalSettings;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes a call wait for an answer from outside. */
final class Parking {

    private Parking() {}

    static Fact.CallParked of(
            RunScope run,
            CallState call,
            PendingApproval.Kind kind,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            Instant at) {
        ApprovalSettings settings = run.settings().approvals();
        int round = call.parked() == null ? 1 : call.parked().round() + 1;
        return new Fact.CallParked(
                call.callId(),
                round,
                kind,
                Digest.of(Json.parse(call.call().arguments())),
                settings.requester(),
                payload == null ? null : run.root().redactor().redact(payload),
                dataSchema,
                at.plus(settings.expiry()),
                at);
    }
}
