package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a process has to do for runs of a store, of all tenants, as of one moment.
 *
 * @param expired calls that wait although their time is over, of the tenants in turn, the first to expire of each first
 * @param undrained how many deliveries have not been read, by root run: of trees that the process executes, if any
 * @param toWake root runs that have to be resumed, of the tenants in turn, the oldest of each first, as {@link
 *     Turns} says
 * @param owners the other owners that count as alive, for a process that looks after all runs
 */
public record DueRuns(List<Expired> expired, Map<RunId, Long> undrained, List<RunRecord> toWake, List<String> owners) {

    public DueRuns {
        expired = List.copyOf(expired);
        undrained = Map.copyOf(undrained);
        toWake = List.copyOf(toWake);
        owners = List.copyOf(owners);
    }

    /** A call of a run of a tenant that waits although its time is over. */
    public record Expired(String tenantId, WaitingCall call) {}

    /** Find what a process has to do among runs in memory. */
    static DueRuns of(
            Map<RunId, MemoryRun> runs,
            Attended attended,
            DueRuns.Query query,
            Set<String> living,
            Predicate<RunRecord> mayBegin) {
        List<Expired> expired = new ArrayList<>();
        Map<RunId, Long> undrained = new HashMap<>();
        List<RunRecord> toWake = new ArrayList<>();
        boolean all = query.scope() == DueRuns.Scope.ALL;
        for (MemoryRun run : attended.among(runs, all, living)) {
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
                        .forEach(call -> expired.add(new Expired(record.tenantId(), call)));
            }
            boolean free =
                    switch (record.status()) {
                        case PENDING -> (all || mine) && mayBegin.test(record);
                        case SUSPENDED -> wakes && run.wakes > 0;
                        default -> all && !living.contains(record.owner());
                    };
            if (free && (run.notBefore == null || !run.notBefore.isAfter(query.retries()))) {
                toWake.add(record);
            }
        }
        return new DueRuns(
                inTurn(expired, query.limit()),
                undrained,
                query.turns().among(toWake, query.limit()),
                all
                        ? living.stream()
                                .filter(owner -> !owner.equals(query.owner()))
                                .toList()
                        : List.of());
    }

    /**
     * Put expired calls in the order in which they are answered; for stores. The first call of each tenant comes first, then the second
     * of each, and so on, so that no tenant waits for all calls of another.
     *
     * @param expired calls in any order; of a tenant with more, those that expire first will do
     * @param limit how many to return at most
     */
    public static List<Expired> inTurn(List<Expired> expired, int limit) {
        if (expired.isEmpty()) {
            return List.of(); // as at nearly every look
        }
        record Placed(int place, Expired call) {}
        Comparator<Expired> firstToExpire =
                Comparator.comparing(each -> each.call().expiresAt());
        Map<String, Integer> places = new HashMap<>();
        return expired.stream()
                .sorted(firstToExpire)
                .map(each -> new Placed(places.merge(each.tenantId(), 1, Integer::sum), each))
                .sorted(Comparator.comparing(Placed::place).thenComparing(Placed::call, firstToExpire))
                .limit(limit)
                .map(Placed::call)
                .toList();
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
     * @param now the time by which calls expire
     * @param retries the time by which runs may be tried again
     * @param turns where the last look stopped
     * @param limit how many calls and how many runs at most
     */
    public record Query(String owner, Scope scope, Instant now, Instant retries, Turns turns, int limit) {

        public Query {
            Objects.requireNonNull(owner, "owner");
            Objects.requireNonNull(scope, "scope");
            Objects.requireNonNull(now, "now");
            Objects.requireNonNull(retries, "retries");
            Objects.requireNonNull(turns, "turns");
        }

        /** Make a query of a process whose retries have the same time as everything else. */
        public Query(String owner, Scope scope, Instant now, Turns turns, int limit) {
            this(owner, scope, now, now, turns, limit);
        }
    }

    /**
     * Whose runs come next: a look returns runs of as many tenants as have some, in turn from the tenant after the one
     * whose run was looked at last, the oldest run of each first. Of a tenant with more due runs than a look returns,
     * the next look returns those that follow, and the first again after the last.
     *
     * @param tenantId the tenant whose run was looked at last; empty text for none
     * @param last the run that was looked at last, of tenants that may have more
     */
    public record Turns(String tenantId, Map<String, RunRecord> last) {

        /** No tenant has had its turn. */
        public static final Turns FIRST = new Turns("", Map.of());

        public Turns {
            Objects.requireNonNull(tenantId, "tenantId");
            last = Map.copyOf(last);
        }

        /** Reads the oldest due runs of a tenant, in the order of when they started and of their ids. */
        @FunctionalInterface
        public interface Source {
            /**
             * Return some runs.
             *
             * @param after the run to continue after, or null for the oldest
             */
            List<RunRecord> oldest(String tenantId, @Nullable RunRecord after, int most);
        }

        /**
         * Return the due runs of a look; for stores.
         *
         * @param tenants those that may have some, in the order of their turns
         * @param source reads the runs of one of them
         */
        public List<RunRecord> read(List<String> tenants, int limit, Source source) {
            List<List<RunRecord>> found = new ArrayList<>();
            List<Integer> hungry = new ArrayList<>();
            for (int i = 0; i < tenants.size(); i++) {
                found.add(new ArrayList<>());
                hungry.add(i);
            }
            for (int left = limit; left > 0 && !hungry.isEmpty(); ) {
                int share = Math.ceilDiv(left, hungry.size());
                List<Integer> more = new ArrayList<>();
                for (int i : hungry) {
                    int read = readMore(tenants.get(i), found.get(i), share, source);
                    left -= read;
                    if (read == share) {
                        more.add(i);
                    }
                }
                hungry = more;
            }
            return inTurn(found, limit);
        }

        private int readMore(String tenant, List<RunRecord> found, int share, Source source) {
            RunRecord after = found.isEmpty() ? last.get(tenant) : found.getLast();
            List<RunRecord> runs = source.oldest(tenant, after, share);
            if (runs.isEmpty() && found.isEmpty() && after != null) {
                runs = source.oldest(tenant, null, share);
            }
            found.addAll(runs);
            return runs.size();
        }

        private static List<RunRecord> inTurn(List<List<RunRecord>> found, int limit) {
            List<RunRecord> all = new ArrayList<>();
            int longest = found.stream().mapToInt(List::size).max().orElse(0);
            for (int round = 0; round < longest; round++) {
                for (List<RunRecord> each : found) {
                    if (round < each.size() && all.size() < limit) {
                        all.add(each.get(round));
                    }
                }
            }
            return all;
        }

        /** The order of the due runs of a tenant. */
        private static int oldestFirst(RunRecord one, RunRecord other) {
            int byStart = one.startedAt().compareTo(other.startedAt());
            return byStart != 0
                    ? byStart
                    : one.runId().value().compareTo(other.runId().value());
        }

        private List<RunRecord> among(List<RunRecord> due, int limit) {
            if (due.isEmpty()) {
                return List.of(); // as at nearly every look
            }
            Map<String, List<RunRecord>> byTenant = new TreeMap<>();
            due.stream().sorted(Turns::oldestFirst).forEach(run -> byTenant.computeIfAbsent(
                            run.tenantId(), id -> new ArrayList<>())
                    .add(run));
            List<String> tenants = new ArrayList<>(byTenant.keySet());
            Collections.rotate(tenants, -(int)
                    tenants.stream().filter(id -> id.compareTo(tenantId) <= 0).count());
            return read(tenants, limit, (tenant, after, most) -> byTenant.getOrDefault(tenant, List.of()).stream()
                    .filter(run -> after == null || oldestFirst(run, after) > 0)
                    .limit(most)
                    .toList());
        }

        /**
         * Return the turns after a look.
         *
         * @param found the runs that it has returned
         * @param looked how many of them were looked at, from the first
         * @param limit how many it would have returned at most
         */
        @CheckReturnValue
        public Turns after(List<RunRecord> found, int looked, int limit) {
            if (looked == 0) {
                return this;
            }
            String tenant = found.get(looked - 1).tenantId();
            if (looked == found.size() && looked < limit) {
                return new Turns(tenant, Map.of()); // there are no more
            }
            Map<String, RunRecord> latest = new HashMap<>(last);
            found.subList(0, looked).forEach(run -> latest.put(run.tenantId(), run));
            return new Turns(tenant, latest);
        }
    }

    /**
     * The root runs of all tenants for which there may be something to do: all that have not ended, but for those that an owner executes
     * and that have no inbox. These are many, and are only counted. Used under the store's lock.
     */
    static final class Attended {

        private final Map<RunId, MemoryRun> runs = new LinkedHashMap<>();

        /** How many runs with nothing to do each owner executes. */
        private final Map<String, Integer> counts = new HashMap<>();

        /** Follow a change of a root run or its tree. */
        void note(MemoryRun root) {
            boolean executed = root.record.status() == RunStatus.RUNNING && !root.hasInboxes;
            count(root, executed ? root.record.owner() : null);
            if (executed || root.record.status().isEnded()) {
                runs.remove(root.record.runId());
            } else {
                runs.put(root.record.runId(), root);
            }
        }

        /** Forget a deleted run. */
        void forget(MemoryRun root) {
            count(root, null);
            runs.remove(root.record.runId());
        }

        private void count(MemoryRun root, @Nullable String owner) {
            if (Objects.equals(owner, root.countedUnder)) {
                return;
            }
            if (root.countedUnder != null) {
                counts.computeIfPresent(root.countedUnder, (name, count) -> count == 1 ? null : count - 1);
            }
            if (owner != null) {
                counts.merge(owner, 1, Integer::sum);
            }
            root.countedUnder = owner;
        }

        /** Return the runs to look at; all of a store if one that is executed is to be found whose owner does not live. */
        Collection<MemoryRun> among(Map<RunId, MemoryRun> all, boolean withLeft, Set<String> living) {
            return withLeft && !living.containsAll(counts.keySet()) ? all.values() : runs.values();
        }
    }

    /** Which runs of a tenant use its threads or wait for them. Used under the store's lock. */
    static final class OnThreads {

        /** The running root runs of each thread. */
        private final Map<String, Set<RunId>> running = new HashMap<>();

        /** The pending runs of each thread, in the order in which they were stored. */
        private final Map<String, Set<RunId>> pending = new HashMap<>();

        /** Return the other running root runs of the thread of a root run. */
        Set<RunId> othersOn(RunRecord run) {
            String thread = run.threadId().orElse(null);
            if (thread == null || !run.isRoot()) {
                return Set.of();
            }
            Set<RunId> others = new HashSet<>(running.getOrDefault(thread, Set.of()));
            others.remove(run.runId());
            return others;
        }

        /** Return the oldest pending run of the thread of a root run, if it was stored before that run. */
        Optional<RunId> olderPending(RunRecord run) {
            return run.threadId()
                    .filter(thread -> run.isRoot())
                    .map(pending::get)
                    .filter(ids -> run.length() == 0 || ids.contains(run.runId()))
                    .map(ids -> ids.iterator().next())
                    .filter(first -> !first.equals(run.runId()));
        }

        /** Note whether a run is running or pending now. */
        void noteStatus(RunRecord run) {
            String thread = run.threadId().orElse(null);
            if (thread != null && run.isRoot()) {
                note(running, thread, run, RunStatus.RUNNING);
                note(pending, thread, run, RunStatus.PENDING);
            }
        }

        private static void note(Map<String, Set<RunId>> runs, String thread, RunRecord run, RunStatus status) {
            if (run.status() == status) {
                runs.computeIfAbsent(thread, t -> new LinkedHashSet<>()).add(run.runId());
            } else {
                runs.computeIfPresent(thread, (t, ids) -> ids.remove(run.runId()) && ids.isEmpty() ? null : ids);
            }
        }
    }
}
