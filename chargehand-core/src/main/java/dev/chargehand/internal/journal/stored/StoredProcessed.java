package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Processed}. */
record StoredProcessed(
        @JsonProperty("step") int step,
        @JsonProperty("trip") @Nullable StoredStopReason trip,
        @JsonProperty("retry") boolean retry,
        @JsonProperty("withheld") boolean withheld,
        @JsonProperty("answer") @Nullable String answer,
        @JsonProperty("spent") StoredSpending spent,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredProcessed of(Fact.Processed fact) {
        return new StoredProcessed(
                fact.step(),
                StoredStopReason.ofNullable(fact.trip()),
                fact.retry(),
                fact.withheld(),
                fact.answer(),
                StoredSpending.of(fact.spent()),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Processed(
                step, StoredStopReason.toNullable(trip), retry, withheld, answer, spent.toSpending(), at);
    }
}
