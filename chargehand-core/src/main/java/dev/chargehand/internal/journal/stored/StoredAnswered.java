package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.model.FinishReason;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Answered}. */
record StoredAnswered(
        @JsonProperty("step") int step,
        @JsonProperty("model") String model,
        @JsonProperty("text") String text,
        @JsonProperty("reasoning") String reasoning,
        @JsonProperty("calls") List<Call> calls,
        @JsonProperty("finish") FinishReason finish,
        @JsonProperty("usage") StoredSpending.Tokens usage,
        @JsonProperty("attempts") int attempts,
        @JsonProperty("cost") BigDecimal cost,
        @JsonProperty("offered") @Nullable List<String> offered,
        @JsonProperty("providerState") @Nullable String providerState,
        @JsonProperty("startedAt") Instant startedAt,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    record Call(
            @JsonProperty("callId") String callId,
            @JsonProperty("providerId") @Nullable String providerId,
            @JsonProperty("name") String name,
            @JsonProperty("arguments") String arguments) {

        static Call of(RequestedCall call) {
            return new Call(call.callId(), call.providerId(), call.name(), call.arguments());
        }

        RequestedCall toCall() {
            return new RequestedCall(callId, providerId, name, arguments);
        }
    }

    static StoredAnswered of(Fact.Answered fact) {
        return new StoredAnswered(
                fact.step(),
                fact.model(),
                fact.text(),
                fact.reasoning(),
                fact.calls().stream().map(Call::of).toList(),
                fact.finish(),
                StoredSpending.Tokens.of(fact.usage()),
                fact.attempts(),
                fact.cost(),
                fact.offered(),
                fact.providerState(),
                fact.startedAt(),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Answered(
                step,
                model,
                text,
                reasoning,
                calls.stream().map(Call::toCall).toList(),
                finish,
                usage.toUsage(),
                attempts,
                cost,
                offered,
                providerState,
                startedAt,
                at);
    }
}
