package dev.chargehand.store;

import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists runs in memory. Used under the store's lock. */
final class MemoryListing {

    private static final Comparator<RunRecord> NEWEST_FIRST = Comparator.comparing(RunRecord::startedAt)
            .thenComparing(run -> run.runId().value())
            .reversed();

    private MemoryListing() {}

    /**
     * Return the records that a filter passes.
     *
     * @param last the record to continue after, or null
     */
    static List<RunRecord> of(Map<RunId, MemoryRun> runs, RunFilter filter, @Nullable RunRecord last) {
        return runs.values().stream()
                .map(run -> run.record)
                .filter(run -> matches(runs, run, filter) && (last == null || NEWEST_FIRST.compare(run, last) > 0))
                .sorted(NEWEST_FIRST)
                .limit(filter.limit())
                .toList();
    }

    private static boolean matches(Map<RunId, MemoryRun> runs, RunRecord run, RunFilter filter) {
        return (filter.statuses().isEmpty() || filter.statuses().contains(run.status()))
                && (!filter.rootsOnly() || run.isRoot())
                && isOrAny(filter.rootRunId(), Optional.of(run.rootRunId()))
                && isOrAny(filter.threadId(), run.threadId())
                && isOrAny(filter.resourceId(), run.resourceId())
                && isBefore(filter.expiringBefore(), run.expiresAt())
                && (!filter.leftBelow() || isLeftBelow(runs, run))
                && (!filter.woken() || isWoken(runs, run));
    }

    private static boolean isLeftBelow(Map<RunId, MemoryRun> runs, RunRecord run) {
        MemoryRun above = run.parentRunId().map(runs::get).orElse(null);
        return !run.status().isEnded() && above != null && above.record.status().isEnded();
    }

    private static boolean isWoken(Map<RunId, MemoryRun> runs, RunRecord run) {
        MemoryRun found = runs.get(run.runId());
        return found != null && found.wakes > 0;
    }

    private static boolean isBefore(Optional<Instant> limit, Optional<Instant> expiresAt) {
        return limit.isEmpty() || expiresAt.filter(limit.get()::isAfter).isPresent();
    }

    private static boolean isOrAny(Optional<?> wanted, Optional<?> actual) {
        return wanted.isEmpty() || wanted.equals(actual);
    }
}
