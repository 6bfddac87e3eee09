package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.fact.RoundFact.StepEffects;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.CallClosed}. */
record StoredCallClosed(
        @JsonProperty("callId") String callId,
        @JsonProperty("output") @Nullable Json output,
        @JsonProperty("view") @Nullable String view,
        @JsonProperty("error") @Nullable String error,
        @JsonProperty("detail") @Nullable String detail,
        @JsonProperty("refusal") @Nullable Refused refusal,
        @JsonProperty("child") @Nullable Child child,
        @JsonProperty("verdict") @Nullable Verdict verdict,
        @JsonProperty("patch") @Nullable Json patch,
        @JsonProperty("spent") @Nullable StoredSpending spent,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    record Refused(
            @JsonProperty("agentId") @Nullable String agentId,
            @JsonProperty("agentName") @Nullable String agentName,
            @JsonProperty("reason") String reason) {

        static Refused of(Refusal refusal) {
            return new Refused(refusal.agentId(), refusal.agentName(), refusal.reason());
        }

        Refusal toRefusal() {
            return new Refusal(agentId, agentName, reason);
        }
    }

    record Child(
            @JsonProperty("runId") String runId,
            @JsonProperty("agentId") String agentId,
            @JsonProperty("status") RunStatus status,
            @JsonProperty("stop") StoredStopReason stop,
            @JsonProperty("text") String text,
            @JsonProperty("spent") StoredSpending spent) {

        static Child of(ChildEnd end) {
            return new Child(
                    end.runId().value(),
                    end.agentId(),
                    end.status(),
                    StoredStopReason.of(end.stop()),
                    end.text(),
                    StoredSpending.of(end.spent()));
        }

        ChildEnd toEnd() {
            return new ChildEnd(new RunId(runId), agentId, status, stop.toReason(), text, spent.toSpending());
        }
    }

    record Verdict(
            @JsonProperty("bail") @Nullable Integer bail,
            @JsonProperty("failure") @Nullable String failure,
            @JsonProperty("feedback") @Nullable String feedback) {

        static Verdict of(ChildVerdict verdict) {
            return new Verdict(verdict.bail(), verdict.failure(), verdict.feedback());
        }

        ChildVerdict toVerdict() {
            return new ChildVerdict(bail, failure, feedback);
        }
    }

    static StoredCallClosed of(Fact.CallClosed fact) {
        Refusal refusal = fact.refusal();
        ChildEnd child = fact.child();
        ChildVerdict verdict = fact.verdict();
        StepEffects effects = fact.effects();
        return new StoredCallClosed(
                fact.callId(),
                fact.output(),
                fact.view(),
                fact.error(),
                fact.detail(),
                refusal == null ? null : Refused.of(refusal),
                child == null ? null : Child.of(child),
                verdict == null ? null : Verdict.of(verdict),
                effects == null ? null : effects.patch(),
                effects == null ? null : StoredSpending.ofNullable(effects.spent()),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.CallClosed(
                callId,
                output,
                view,
                error,
                detail,
                refusal == null ? null : refusal.toRefusal(),
                child == null ? null : child.toEnd(),
                verdict == null ? null : verdict.toVerdict(),
                StepEffects.of(patch, StoredSpending.orNothing(spent)),
                at);
    }
}
