package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored forms of the facts that say when, and by whom, a run is executed. */
final class StoredExecution {

    private StoredExecution() {}

    /** The stored form of the fact {@code begun}. */
    record Begun(
            @JsonProperty("position") long position,
            @JsonProperty("historyFrom") @Nullable Long historyFrom,
            @JsonProperty("owner") String owner,
            @JsonProperty("epoch") long epoch,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static Begun of(Fact.Begun fact) {
            return new Begun(fact.position(), fact.historyFrom(), fact.owner(), fact.epoch(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.Begun(position, historyFrom, owner, epoch, at);
        }
    }

    /** The stored form of {@link Fact.Suspended}. */
    record Suspended(
            @JsonProperty("expiresAt") Instant expiresAt,
            @JsonProperty("at") Instant at) implements StoredFact {

        static Suspended of(Fact.Suspended fact) {
            return new Suspended(fact.expiresAt(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.Suspended(expiresAt, at);
        }
    }

    /** The stored form of {@link Fact.Resumed}. */
    record Resumed(
            @JsonProperty("owner") String owner,
            @JsonProperty("epoch") @Nullable Long epoch,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static Resumed of(Fact.Resumed fact) {
            return new Resumed(fact.owner(), fact.epoch() == 0 ? null : fact.epoch(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.Resumed(owner, epoch == null ? 0 : epoch, at);
        }
    }
}
