package dev.chargehand.metric;

import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many root runs started within a time, how they stand, and what they and their nested runs used. Derived from the records of the
 * runs alone. Immutable.
 *
 * @param since from when on the counted runs have started
 * @param complete false if more than 10,000 runs have started since then: only the newest ones are counted
 * @param all the counts of all of them
 * @param byAgent the same by the id of the agent or workflow, sorted by it
 * @param pending how many runs wait for a process now, whenever they were submitted; at most 1,000
 */
public record RunMetrics(Instant since, boolean complete, Counts all, Map<String, Counts> byAgent, int pending) {

    private static final int PAGE = 1_000;
    private static final int MOST = 10_000;

    /** Throws {@link NullPointerException} if a value is null. */
    public RunMetrics {
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(all, "all");
        byAgent = Collections.unmodifiableMap(new TreeMap<>(byAgent));
    }

    /**
     * Counts of some runs.
     *
     * @param runs how many they are
     * @param byStatus how many have each status; a status that none has is missing
     * @param usage the tokens that they and their ended nested runs used
     * @param cost what these cost by the prices of the runs; 0 without prices
     * @param durations how long those that have ended took; empty if none has ended
     */
    public record Counts(
            int runs, Map<RunStatus, Integer> byStatus, Usage usage, BigDecimal cost, Optional<Durations> durations) {

        /** Copies the map; throws {@link NullPointerException} if a value is null. */
        public Counts {
            byStatus = Map.copyOf(byStatus);
            Objects.requireNonNull(usage, "usage");
            Objects.requireNonNull(cost, "cost");
            Objects.requireNonNull(durations, "durations");
        }

        private static Counts of(List<RunRecord> runs) {
            Map<RunStatus, Integer> byStatus = new EnumMap<>(RunStatus.class);
            Usage usage = Usage.NONE;
            BigDecimal cost = BigDecimal.ZERO;
            for (RunRecord run : runs) {
                byStatus.merge(run.status(), 1, Integer::sum);
                Optional<RunSummary> summary = run.summary();
                usage = usage.plus(summary.map(RunSummary::usage).orElse(Usage.NONE));
                cost = cost.add(summary.map(RunSummary::cost).orElse(BigDecimal.ZERO));
            }
            return new Counts(runs.size(), byStatus, usage, cost, Durations.of(ended(runs)));
        }

        private static Stream<Duration> ended(List<RunRecord> runs) {
            return runs.stream()
                    .filter(run -> run.status().isEnded())
                    .map(run -> Duration.between(run.startedAt(), run.updatedAt()));
        }
    }

    /**
     * How long something took, such as runs from their start to their end, with the time in which they waited for humans. Half of them
     * took at most {@code p50}, 95 of a hundred at most {@code p95}.
     *
     * @param p50 never negative
     * @param p95 never negative
     */
    public record Durations(Duration p50, Duration p95) {

        /** Throws {@link NullPointerException} if a value is null. */
        public Durations {
            Objects.requireNonNull(p50, "p50");
            Objects.requireNonNull(p95, "p95");
        }

        static Optional<Durations> of(Stream<Duration> all) {
            List<Duration> sorted = all.map(time -> time.isNegative() ? Duration.ZERO : time) // the clock was set back
                    .sorted()
                    .toList();
            return sorted.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Durations(percentile(sorted, 50), percentile(sorted, 95)));
        }

        private static Duration percentile(List<Duration> sorted, int percent) {
            return sorted.get(Math.ceilDiv(sorted.size() * percent, 100) - 1);
        }
    }

    /**
     * Count runs, from pages of 1,000 of their records.
     *
     * @param runs reads the records, newest first, such as {@code runtime::runs} for the runs of a tenant
     * @param filter which runs to count; of its own, it has no limit, position and start
     * @param since from when on they have started
     */
    public static RunMetrics of(Function<RunFilter, List<RunRecord>> runs, RunFilter filter, Instant since) {
        List<RunRecord> found = new ArrayList<>();
        boolean complete = read(runs, filter.startedFrom(since).limit(PAGE), found);
        Map<String, Counts> byAgent = found.stream()
                .collect(Collectors.groupingBy(
                        RunRecord::agentId, Collectors.collectingAndThen(Collectors.toList(), Counts::of)));
        int pending = runs.apply(filter.statuses(RunStatus.PENDING).limit(PAGE)).size();
        return new RunMetrics(since, complete, Counts.of(found), byAgent, pending);
    }

    /** Read records into a list; returns false if there are more than it may have. */
    private static boolean read(Function<RunFilter, List<RunRecord>> runs, RunFilter filter, List<RunRecord> found) {
        List<RunRecord> page = runs.apply(filter);
        while (!page.isEmpty() && found.size() < MOST) {
            found.addAll(page);
            page = page.size() < PAGE
                    ? List.of()
                    : runs.apply(filter.before(page.getLast().runId()));
        }
        return page.isEmpty();
    }
}
