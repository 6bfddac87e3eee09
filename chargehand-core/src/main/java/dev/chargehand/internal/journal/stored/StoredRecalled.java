package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.RootNotes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Fact.Recalled}. */
record StoredRecalled(
        @JsonProperty("step") int step,
        @JsonProperty("embedder") @Nullable String embedder,
        @JsonProperty("hits") List<Hit> hits,
        @JsonProperty("withToolResults") @Nullable Boolean withToolResults,
        @JsonProperty("workingRevision") @Nullable Long workingRevision,
        @JsonProperty("rootNotes") @Nullable Notes rootNotes,
        @JsonProperty("observed") @Nullable Observed observed,
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

    /** The stored form of {@link RootNotes}. */
    record Notes(
            @JsonProperty("resourceId") @Nullable String resourceId,
            @JsonProperty("threadId") @Nullable String threadId,
            @JsonProperty("revision") long revision) {

        static @Nullable Notes of(@Nullable RootNotes notes) {
            return notes == null ? null : new Notes(notes.resourceId(), notes.threadId(), notes.revision());
        }

        RootNotes toNotes() {
            return new RootNotes(resourceId, threadId, revision);
        }
    }

    /** The stored form of {@link ObservedHistory}. */
    record Observed(
            @JsonProperty("seen") List<Seen> seen,
            @JsonProperty("from") long from,
            @JsonProperty("tokens") long tokens,
            @JsonProperty("steps") int steps,
            @JsonProperty("hasFailed") boolean hasFailed,
            @JsonProperty("isUpdate") boolean isUpdate) {

        static @Nullable Observed of(@Nullable ObservedHistory observed) {
            return observed == null
                    ? null
                    : new Observed(
                            observed.seen().stream()
                                    .map(log -> new Seen(log.threadId(), log.number(), log.end()))
                                    .toList(),
                            observed.from(),
                            observed.tokens(),
                            observed.steps(),
                            observed.hasFailed(),
                            observed.isUpdate());
        }

        ObservedHistory toHistory() {
            return new ObservedHistory(
                    seen.stream()
                            .map(log -> new ObservedHistory.Seen(log.threadId(), log.number(), log.end()))
                            .toList(),
                    from,
                    tokens,
                    steps,
                    hasFailed,
                    isUpdate);
        }
    }

    /** The stored form of {@link ObservedHistory.Seen}. */
    record Seen(
            @JsonProperty("threadId") String threadId,
            @JsonProperty("number") long number,
            @JsonProperty("end") long end) {}

    static StoredRecalled of(Fact.Recalled fact) {
        return new StoredRecalled(
                fact.step(),
                fact.embedder(),
                fact.hits().stream().map(Hit::of).toList(),
                fact.withToolResults() ? true : null,
                fact.workingRevision(),
                Notes.of(fact.rootNotes()),
                Observed.of(fact.observed()),
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
                withToolResults != null && withToolResults,
                workingRevision,
                rootNotes == null ? null : rootNotes.toNotes(),
                observed == null ? null : observed.toHistory(),
                problem,
                spent.toSpending(),
                startedAt,
                at);
    }
}
