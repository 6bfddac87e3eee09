package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a process has to do for runs of a store, as of one moment.
 *
 * @param expired calls that wait although their time is over, the first to expire first
 * @param undrained how many deliveries have not been read, by root run: of trees that the process executes, if any
 * @param toWake root runs that have to be resumed, in the order of their ids
 * @param owners the other owners that count as alive, for a process that looks after all runs
 */
public record DueRuns(
        List<WaitingCall> expired, Map<RunId, Long> undrained, List<RunRecord> toWake, List<String> owners) {

    public DueRuns {
        expired = List.copyOf(expired);
        undrained = Map.copyOf(undrained);
        toWake = List.copyOf(toWake);
        owners = List.copyOf(owners);
    }

    /** Find what a process has to do among runs in memory. */
    static DueRuns of(
            Map<RunId, MemoryRun> runs, DueRuns.Query query, Set<String> living, Predicate<RunRecord> mayBegin) {
        List<WaitingCall> expired = new ArrayList<>();
        Map<RunId, Long> undrained = new HashMap<>();
        List<RunRecord> toWake = new ArrayList<>();
        boolean all = query.scope() == DueRuns.Scope.ALL;
        for (MemoryRun run : runs.values()) {
            RunRecord record = run.record;
            if (record.status().isEnded() || !record.isRoot()) {
                continue;
            }
            boolean mine = record.owner().equals(query.owner());
            if (mine && record.status() == RunStatus.RUNNING && run.undrained > 0) {
                undrained.put(record.runId(), run.undrained);
            }
            boolean wakes = all || (mine && query.scope() == DueRuns.Scope.OWN);
            if (wakes) {
                run.waiting(runs)
                        .filter(call -> !call.expiresAt().isAfter(query.now()))
                        .forEach(expired::add);
            }
            boolean free =
                    switch (record.status()) {
                        case PENDING -> (all || mine) && mayBegin.test(record);
                        case SUSPENDED -> wakes && run.wakes > 0;
                        default -> all && !living.contains(record.owner());
                    };
            if (free && (run.notBefore == null || !run.notBefore.isAfter(query.now()))) {
                toWake.add(record);
            }
        }
        return new DueRuns(
                expired.stream()
                        .sorted(Comparator.comparing(WaitingCall::expiresAt))
                        .limit(query.limit())
                        .toList(),
                undrained,
                toWake.stream()
                        .filter(run -> query.after()
                                .map(last -> run.runId().value().compareTo(last.value()) > 0)
                                .orElse(true))
                        .sorted(Comparator.comparing(run -> run.runId().value()))
                        .limit(query.limit())
                        .toList(),
                all
                        ? living.stream()
                                .filter(owner -> !owner.equals(query.owner()))
                                .toList()
                        : List.of());
    }

    /** Which runs a process wakes. */
    public enum Scope {
        /** Only pending runs that it is to start, as in every scope. */
        NONE,
        /** Those that it owned last: runs that are suspended. */
        OWN,
        /** Suspended runs, running ones without a living owner, and pending ones whose turn it is. */
        ALL
    }

    /**
     * What to look for.
     *
     * @param owner the process
     * @param scope which runs it wakes
     * @param now the time by which calls expire, and by which runs may be tried again
     * @param after the last run to wake of the previous page, if there is one
     * @param limit how many calls and how many runs at most
     */
    public record Query(String owner, Scope scope, Instant now, Optional<RunId> after, int limit) {

        public Query {
            Objects.requireNonNull(owner, "owner");
            Objects.requireNonNull(scope, "scope");
            Objects.requireNonNull(now, "now");
            Objects.requireNonNull(after, "after");
        }
    }
}
