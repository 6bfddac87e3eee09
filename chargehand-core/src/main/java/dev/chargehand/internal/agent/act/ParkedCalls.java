package dev.chargehand.internal.agent.act;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes a call wait for an answer from outside, or for a time. */
public final class ParkedCalls {

    /** So long a step of a workflow waits for a decision about its interruption. */
    private static final Duration OUTCOME_EXPIRY = Duration.ofDays(7);

    private ParkedCalls() {}

    /** Make the fact of a call that waits for an answer from now on. */
    public static Fact.CallParked of(
            RunScope run,
            CallState call,
            WaitKind kind,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            Instant at) {
        return of(run, call, new Wait(kind, payload, dataSchema, null, limit(run, at)), at);
    }

    /**
     * Make the fact of a step of a workflow that waits for data.
     *
     * @param patch a JSON merge patch of the shared state, or null
     */
    public static Fact.CallParked asking(
            RunScope run, CallState call, Json payload, @Nullable Json dataSchema, @Nullable Json patch, Instant at) {
        Json clean = patch == null ? null : run.root().redactor().redact(patch);
        return of(run, call, new Wait(WaitKind.DATA, payload, dataSchema, clean, limit(run, at)), at);
    }

    /** Make the fact of a step of a workflow whose outcome is unknown. */
    public static Fact.CallParked interrupted(RunScope run, CallState call, Json dataSchema, Instant at) {
        Instant expiresAt = at.plus(OUTCOME_EXPIRY);
        return of(run, call, new Wait(WaitKind.INTERRUPTED, null, dataSchema, null, expiresAt), at);
    }

    /** Make the fact of a call that waits for a time. */
    public static Fact.CallParked until(RunScope run, CallState call, Instant time, Instant at) {
        return of(run, call, new Wait(WaitKind.TIMER, null, null, null, time), at);
    }

    private static Instant limit(RunScope run, Instant at) {
        return at.plus(run.options().get(Options.APPROVAL_EXPIRY));
    }

    private record Wait(
            WaitKind kind,
            @Nullable Json payload,
            @Nullable Json dataSchema,
            @Nullable Json patch,
            Instant expiresAt) {}

    private static Fact.CallParked of(RunScope run, CallState call, Wait wait, Instant at) {
        Json payload = wait.payload();
        int waitNumber = call.parked() == null ? 1 : call.parked().waitNumber() + 1;
        return new Fact.CallParked(
                call.callId(),
                waitNumber,
                wait.kind(),
                ArgumentDigest.of(Json.parse(call.call().arguments())),
                run.options().get(Options.REQUESTER),
                payload == null ? null : run.root().redactor().redact(payload),
                wait.dataSchema(),
                wait.patch(),
                wait.expiresAt(),
                at);
    }
}
