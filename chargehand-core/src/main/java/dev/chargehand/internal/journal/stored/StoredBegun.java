package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;

/** The stored form of {@code Fact.Begun}. */
record StoredBegun(
        @JsonProperty("position") long position,
        @JsonProperty("owner") String owner,
        @JsonProperty("epoch") long epoch,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredBegun of(Fact.Begun fact) {
        return new StoredBegun(fact.position(), fact.owner(), fact.epoch(), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Begun(position, owner, epoch, at);
    }
}
