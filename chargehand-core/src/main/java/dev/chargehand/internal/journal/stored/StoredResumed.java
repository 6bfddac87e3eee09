package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;

/** The stored form of {@link Fact.Resumed}. */
record StoredResumed(
        @JsonProperty("owner") String owner,
        @JsonProperty("at") Instant at) implements StoredFact {

    static StoredResumed of(Fact.Resumed fact) {
        return new StoredResumed(fact.owner(), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Resumed(owner, at);
    }
}
