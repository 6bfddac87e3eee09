package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RecalledRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Recalled}. */
record StoredRecalled(
        @JsonProperty("step") int step,
        @JsonProperty("embedder") @Nullable String embedder,
        @JsonProperty("hits") List<Hit> hits,
        @JsonProperty("workingRevision") @Nullable Long workingRevision,
        @JsonProperty("problem") @Nullable String problem,
        @JsonProperty("spent") StoredSpending spent,
        @JsonProperty("startedAt") Instant startedAt,
        @JsonProperty("at") Instant at)
        implements StoredFact {

    /** The stored form of {@link RecalledRange}. */
    record Hit(
            @JsonProperty("threadId") String threadId,
            @JsonProperty("from") long from,
            @JsonProperty("to") long to,
            @JsonProperty("score") double score) {

        static Hit of(RecalledRange hit) {
            return new Hit(hit.threadId(), hit.from(), hit.to(), hit.score());
        }

        RecalledRange toHit() {
            return new RecalledRange(threadId, from, to, score);
        }
    }

    static StoredRecalled of(Fact.Recalled fact) {
        return new StoredRecalled(
                fact.step(),
                fact.embedder(),
                fact.hits().stream().map(Hit::of).toList(),
                fact.workingRevision(),
                fact.problem(),
                StoredSpending.of(fact.spent()),
                fact.startedAt(),
                fact.at());
    }

    @Override
    public Fact toFact() {
        return new Fact.Recalled(
                step,
                embedder,
                hits.stream().map(Hit::toHit).toList(),
                workingRevision,
                problem,
                spent.toSpending(),
                startedAt,
                at);
    }
}
