package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.HookDecision;
import dev.chargehand.json.Json;
import dev.chargehand.run.ObjectResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.StepClosed}. */
record StoredStepClosed(
        @JsonProperty("step") int step,
        @JsonProperty("stop") @Nullable StoredStopReason stop,
        @JsonProperty("lastStop") @Nullable StoredStopReason lastStop,
        @JsonProperty("hook") @Nullable HookDecision hook,
        @JsonProperty("feedback") List<String> feedback,
        @JsonProperty("completion") @Nullable Completion completion,
        @JsonProperty("scoresKept") boolean scoresKept,
        @JsonProperty("judged") StoredSpending judged,
        @JsonProperty("object") @Nullable Structured object,
        @JsonProperty("answer") @Nullable String answer,
        @JsonProperty("unread") @Nullable List<String> unread,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    record Completion(
            @JsonProperty("complete") boolean complete,
            @JsonProperty("scorers") List<Scorer> scorers,
            @JsonProperty("duration") Duration duration) {

        static Completion of(CompletionResult result) {
            return new Completion(
                    result.complete(), result.scorers().stream().map(Scorer::of).toList(), result.duration());
        }

        CompletionResult toResult() {
            return new CompletionResult(
                    complete, scorers.stream().map(Scorer::toResult).toList(), duration);
        }
    }

    record Scorer(
            @JsonProperty("scorer") String scorer,
            @JsonProperty("score") double score,
            @JsonProperty("threshold") double threshold,
            @JsonProperty("passed") boolean passed,
            @JsonProperty("reason") String reason,
            @JsonProperty("duration") Duration duration,
            @JsonProperty("errorId") @Nullable String errorId) {

        static Scorer of(ScorerResult result) {
            return new Scorer(
                    result.scorer(),
                    result.score(),
                    result.threshold(),
                    result.passed(),
                    result.reason(),
                    result.duration(),
                    result.errorId());
        }

        ScorerResult toResult() {
            return new ScorerResult(scorer, score, threshold, passed, reason, duration, errorId);
        }
    }

    /** The result of structured output. */
    record Structured(
            @JsonProperty("object") @Nullable Json object,
            @JsonProperty("fallback") boolean fallback,
            @JsonProperty("problem") @Nullable String problem) {

        static Structured of(ObjectResult result) {
            return new Structured(result.object(), result.fallback(), result.problem());
        }

        ObjectResult toResult() {
            return new ObjectResult(object, fallback, problem);
        }
    }

    static StoredStepClosed of(Fact.StepClosed fact) {
        CompletionResult completion = fact.completion();
        ObjectResult object = fact.object();
        return new StoredStepClosed(
                fact.step(),
                StoredStopReason.ofNullable(fact.stop()),
                StoredStopReason.ofNullable(fact.lastStop()),
                fact.hook(),
                fact.feedback(),
                completion == null ? null : Completion.of(completion),
                fact.scoresKept(),
                StoredSpending.of(fact.judged()),
                object == null ? null : Structured.of(object),
                fact.answer(),
                fact.unread().isEmpty() ? null : fact.unread(),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.StepClosed(
                step,
                StoredStopReason.toNullable(stop),
                StoredStopReason.toNullable(lastStop),
                hook,
                feedback,
                completion == null ? null : completion.toResult(),
                scoresKept,
                judged.toSpending(),
                object == null ? null : object.toResult(),
                answer,
                unread == null ? List.of() : unread,
                at);
    }
}
