package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Resumed}. */
record StoredResumed(
        @JsonProperty("owner") String owner,
        @JsonProperty("epoch") @Nullable Long epoch,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredResumed of(Fact.Resumed fact) {
        return new StoredResumed(fact.owner(), fact.epoch() == 0 ? null : fact.epoch(), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Resumed(owner, epoch == null ? 0 : epoch, at);
    }
}
