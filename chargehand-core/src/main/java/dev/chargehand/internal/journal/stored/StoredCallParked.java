package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.CallParked}. */
record StoredCallParked(
        @JsonProperty("callId") String callId,
        @JsonProperty("round") int waitNumber,
        @JsonProperty("kind") WaitKind kind,
        @JsonProperty("digest") String digest,
        @JsonProperty("requester") @Nullable String requester,
        @JsonProperty("payload") @Nullable Json payload,
        @JsonProperty("dataSchema") @Nullable Json dataSchema,
        @JsonProperty("patch") @Nullable Json patch,
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredCallParked of(Fact.CallParked fact) {
        return new StoredCallParked(
                fact.callId(),
                fact.waitNumber(),
                fact.kind(),
                fact.digest(),
                fact.requester(),
                fact.payload(),
                fact.dataSchema(),
                fact.patch(),
                fact.expiresAt(),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.CallParked(
                callId, waitNumber, kind, digest, requester, payload, dataSchema, patch, expiresAt, at);
    }
}
