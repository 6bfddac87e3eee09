package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Stopped}. */
record StoredStopped(
        @JsonProperty("reason") StoredStopReason reason,
        @JsonProperty("partialText") String partialText,
        @JsonProperty("spent") StoredSpending spent,
        @JsonProperty("unread") @Nullable List<String> unread,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredStopped of(Fact.Stopped fact) {
        return new StoredStopped(
                StoredStopReason.of(fact.reason()),
                fact.partialText(),
                StoredSpending.of(fact.spent()),
                fact.unread().isEmpty() ? null : fact.unread(),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Stopped(
                reason.toReason(), partialText, spent.toSpending(), unread == null ? List.of() : unread, at);
    }
}
