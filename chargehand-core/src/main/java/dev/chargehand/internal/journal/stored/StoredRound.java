package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored forms of the facts of the rounds of a workflow. */
final class StoredRound {

    private StoredRound() {}

    /** The stored form of {@link PlannedCall}. */
    record Call(
            @JsonProperty("callId") String callId,
            @JsonProperty("path") String path,
            @JsonProperty("target") String target,
            @JsonProperty("arguments") String arguments) {

        static Call of(PlannedCall call) {
            return new Call(call.callId(), call.path(), call.step(), call.input());
        }

        PlannedCall toCall() {
            return new PlannedCall(callId, path, target, arguments);
        }
    }

    /** The stored form of {@link RoundFact.Planned}. */
    record Planned(
            @JsonProperty("round") int round,
            @JsonProperty("entry") String entry,
            @JsonProperty("iteration") int iteration,
            @JsonProperty("calls") List<Call> calls,
            @JsonProperty("skipped") List<String> skipped,
            @JsonProperty("input") @Nullable String input,
            @JsonProperty("given") @Nullable Integer given,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static Planned of(RoundFact.Planned fact) {
            List<Call> calls = fact.calls().stream().map(Call::of).toList();
            return new Planned(
                    fact.round(),
                    fact.entry(),
                    fact.iteration(),
                    calls,
                    fact.skipped(),
                    fact.input(),
                    fact.given() == 0 ? null : fact.given(),
                    fact.at());
        }

        @Override
        public Fact toFact() {
            List<PlannedCall> planned = calls.stream().map(Call::toCall).toList();
            return new RoundFact.Planned(
                    round, entry, iteration, planned, skipped, input, given == null ? 0 : given, at);
        }
    }

    /** The stored form of {@link RoundFact.CallRetried}. */
    record CallRetried(
            @JsonProperty("callId") String callId,
            @JsonProperty("attempt") int attempt,
            @JsonProperty("error") String error,
            @JsonProperty("next") Instant next,
            @JsonProperty("child") StoredCallClosed.@Nullable Child child,
            @JsonProperty("spent") @Nullable StoredSpending spent,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static CallRetried of(RoundFact.CallRetried fact) {
            ChildEnd child = fact.child();
            return new CallRetried(
                    fact.callId(),
                    fact.attempt(),
                    fact.error(),
                    fact.next(),
                    child == null ? null : StoredCallClosed.Child.of(child),
                    StoredSpending.ofNullable(fact.spent()),
                    fact.at());
        }

        @Override
        public Fact toFact() {
            ChildEnd end = child == null ? null : child.toEnd();
            return new RoundFact.CallRetried(callId, attempt, error, next, end, StoredSpending.orNothing(spent), at);
        }
    }

    /** The stored form of {@link RoundFact.RoundClosed}. */
    record RoundClosed(
            @JsonProperty("round") int round,
            @JsonProperty("stop") @Nullable StoredStopReason stop,
            @JsonProperty("again") boolean again,
            @JsonProperty("output") @Nullable String output,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static RoundClosed of(RoundFact.RoundClosed fact) {
            return new RoundClosed(
                    fact.round(), StoredStopReason.ofNullable(fact.stop()), fact.again(), fact.output(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new RoundFact.RoundClosed(round, StoredStopReason.toNullable(stop), again, output, at);
        }
    }
}
