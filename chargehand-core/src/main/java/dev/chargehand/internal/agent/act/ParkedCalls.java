package dev.chargehand.internal.agent.act;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes a call wait for an answer from outside. */
public final class ParkedCalls {

    private ParkedCalls() {}

    /** Make the fact of a call that waits from now on. */
    public static Fact.CallParked of(
            RunScope run,
            CallState call,
            PendingApproval.Kind kind,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            Instant at) {
        int waitNumber = call.parked() == null ? 1 : call.parked().waitNumber() + 1;
        return new Fact.CallParked(
                call.callId(),
                waitNumber,
                kind,
                ArgumentDigest.of(Json.parse(call.call().arguments())),
                run.options().get(Options.REQUESTER),
                payload == null ? null : run.root().redactor().redact(payload),
                dataSchema,
                at.plus(run.options().get(Options.APPROVAL_EXPIRY)),
                at);
    }
}
