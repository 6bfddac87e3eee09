package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;

/** The stored form of {@link Fact.Suspended}. */
record StoredSuspended(
        @JsonProperty("expiresAt") Instant expiresAt,
        @JsonProperty("at") Instant at) implements StoredFact {

    static StoredSuspended of(Fact.Suspended fact) {
        return new StoredSuspended(fact.expiresAt(), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Suspended(expiresAt, at);
    }
}
