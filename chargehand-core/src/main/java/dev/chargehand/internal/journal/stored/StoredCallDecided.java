package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.CallDecided}. */
record StoredCallDecided(
        @JsonProperty("callId") String callId,
        @JsonProperty("round") int waitNumber,
        @JsonProperty("answer") CallAnswer answer,
        @JsonProperty("approver") @Nullable String approver,
        @JsonProperty("tenant") @Nullable String tenant,
        @JsonProperty("reason") @Nullable String reason,
        @JsonProperty("data") @Nullable Json data,
        @JsonProperty("message") @Nullable String message,
        @JsonProperty("spent") @Nullable StoredSpending spent,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    static StoredCallDecided of(Fact.CallDecided fact) {
        CallAnswer.FromMessage from = fact.from();
        return new StoredCallDecided(
                fact.callId(),
                fact.waitNumber(),
                fact.answer(),
                fact.approver(),
                fact.tenant(),
                fact.reason(),
                fact.data(),
                from == null ? null : from.messageId(),
                from == null ? null : StoredSpending.ofNullable(from.spent()),
                fact.at());
    }

    @Override
    public Fact toFact() {
        CallAnswer.FromMessage from =
                message == null ? null : new CallAnswer.FromMessage(message, StoredSpending.orNothing(spent));
        return new Fact.CallDecided(callId, waitNumber, answer, approver, tenant, reason, data, from, at);
    }
}
