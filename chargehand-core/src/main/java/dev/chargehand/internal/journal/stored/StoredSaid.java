package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import java.time.Instant;
import java.util.List;

/** The stored form of {@link Fact.Said}. */
record StoredSaid(
        @JsonProperty("step") int step,
        @JsonProperty("messages") List<StoredMessage> messages,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredSaid of(Fact.Said fact) {
        return new StoredSaid(fact.step(), StoredMessage.all(fact.messages()), fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Said(step, StoredMessage.toMessages(messages), at);
    }
}
