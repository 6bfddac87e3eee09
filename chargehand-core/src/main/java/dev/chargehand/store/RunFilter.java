package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list, newest first. A part that is not set matches every run.
 *
 * <p>Immutable; every method with an argument returns a changed copy, so start with {@link #ALL} or {@link #ROOTS}. Two
 * filters are equal if all their parts are.
 */
public final class RunFilter {

    /** The first hundred runs, nested ones included. */
    public static final RunFilter ALL = new RunFilter(new Parts());

    /** The first hundred root runs. */
    public static final RunFilter ROOTS = ALL.with(parts -> parts.rootsOnly = true);

    private final Parts parts;

    private RunFilter(Parts parts) {
        this.parts = parts;
    }

    private RunFilter with(Consumer<Parts> change) {
        Parts changed = new Parts(parts);
        change.accept(changed);
        return new RunFilter(changed);
    }

    /** Return the statuses of the runs to list; empty for any. */
    public Set<RunStatus> statuses() {
        return parts.statuses;
    }

    /** Return whether nested runs are omitted. */
    public boolean rootsOnly() {
        return parts.rootsOnly;
    }

    /** Return the root run of the tree whose runs are listed. */
    public Optional<RunId> rootRunId() {
        return Optional.ofNullable(parts.rootRunId);
    }

    /** Return the thread whose runs are listed. */
    public Optional<String> threadId() {
        return Optional.ofNullable(parts.threadId);
    }

    /** Return the resource whose runs are listed. */
    public Optional<String> resourceId() {
        return Optional.ofNullable(parts.resourceId);
    }

    /** Return the moment before which a decision expires that the runs wait for. */
    public Optional<Instant> expiringBefore() {
        return Optional.ofNullable(parts.expiringBefore);
    }

    /** Return whether only runs are listed that have not ended although their parent has. */
    public boolean leftBelow() {
        return parts.leftBelow;
    }

    /** Return whether only root runs are listed to whose tree something was delivered that wakes a suspended run. */
    public boolean woken() {
        return parts.woken;
    }

    /** Return the agent whose runs are listed. */
    public Optional<String> agentId() {
        return Optional.ofNullable(parts.agentId);
    }

    /** Return the moment at or after which the runs started. */
    public Optional<Instant> startedFrom() {
        return Optional.ofNullable(parts.startedFrom);
    }

    /** Return the moment before which the runs started. */
    public Optional<Instant> startedBefore() {
        return Optional.ofNullable(parts.startedBefore);
    }

    /**
     * Return whether only runs are listed that have not ended and whose derived values are missing or of an earlier
     * {@link RunSummary#VERSION version}.
     */
    public boolean outdated() {
        return parts.outdated;
    }

    /** Return which attempts of background tasks are listed. */
    public Optional<TaskFilter> tasks() {
        return Optional.ofNullable(parts.tasks);
    }

    /** Return the first run of the until-idle call whose turns and background tasks are listed. */
    public Optional<RunId> untilIdle() {
        return Optional.ofNullable(parts.untilIdle);
    }

    /** Return the last run of the previous page. */
    public Optional<RunId> before() {
        return Optional.ofNullable(parts.before);
    }

    /** Return how many runs are listed at most, from 1 to 1000. */
    public int limit() {
        return parts.limit;
    }

    /** Return this filter for some statuses. */
    @CheckReturnValue
    public RunFilter statuses(RunStatus... values) {
        return with(changed -> changed.statuses = Set.copyOf(List.of(values)));
    }

    /** Return this filter for the tree of one root run, nested runs included. */
    @CheckReturnValue
    public RunFilter tree(RunId value) {
        return with(changed -> {
            changed.rootsOnly = false;
            changed.rootRunId = value;
        });
    }

    /** Return this filter for one thread. */
    @CheckReturnValue
    public RunFilter thread(String value) {
        return with(changed -> changed.threadId = value);
    }

    /** Return this filter for one resource. */
    @CheckReturnValue
    public RunFilter resource(String value) {
        return with(changed -> changed.resourceId = value);
    }

    /** Return this filter for the runs of one agent. */
    @CheckReturnValue
    public RunFilter agent(String agentId) {
        return with(changed -> changed.agentId = agentId);
    }

    /** Return this filter for runs that started at a moment or later. */
    @CheckReturnValue
    public RunFilter startedFrom(Instant value) {
        return with(changed -> changed.startedFrom = value);
    }

    /** Return this filter for runs that started before a moment. */
    @CheckReturnValue
    public RunFilter startedBefore(Instant value) {
        return with(changed -> changed.startedBefore = value);
    }

    /** Return this filter for runs that have not ended and whose derived values an earlier version has stored. */
    @CheckReturnValue
    public RunFilter outdated(boolean value) {
        return with(changed -> changed.outdated = value);
    }

    /** Return this filter for runs that wait for a decision which expires before a moment. */
    @CheckReturnValue
    public RunFilter expiringBefore(Instant value) {
        return with(changed -> changed.expiringBefore = value);
    }

    /** Return this filter for runs that have not ended although their parent has: their process died in between. */
    @CheckReturnValue
    public RunFilter leftBelow(boolean value) {
        return with(changed -> changed.leftBelow = value);
    }

    /** Return this filter for root runs to whose tree something was delivered that wakes a suspended run. */
    @CheckReturnValue
    public RunFilter woken(boolean value) {
        return with(changed -> changed.woken = value);
    }

    /** Return this filter for attempts of background tasks. */
    @CheckReturnValue
    public RunFilter tasks(TaskFilter value) {
        return with(changed -> changed.tasks = value);
    }

    /** Return this filter for the turns and the background tasks of an until-idle call, given its first run. */
    @CheckReturnValue
    public RunFilter untilIdle(RunId value) {
        return with(changed -> changed.untilIdle = value);
    }

    /** Return this filter for the page after a run. */
    @CheckReturnValue
    public RunFilter before(RunId value) {
        return with(changed -> changed.before = value);
    }

    /**
     * Return this filter with another page size.
     *
     * @throws IllegalArgumentException if it is not from 1 to 1000
     */
    @CheckReturnValue
    public RunFilter limit(int value) {
        if (value < 1 || value > 1000) {
            throw new IllegalArgumentException("A page has 1 to 1000 runs, not " + value + ".");
        }
        return with(changed -> changed.limit = value);
    }

    /**
     * Return the records of runs in memory that pass the filter.
     *
     * @param tenantId whose runs, or null for those of all
     */
    List<RunRecord> among(Map<RunId, MemoryRun> runs, @Nullable String tenantId) {
        MemoryRun last = parts.before == null ? null : runs.get(parts.before);
        if (parts.before != null && (last == null || !isOf(tenantId, last))) {
            throw MemoryRun.notFound(parts.before);
        }
        List<RunRecord> found = new ArrayList<>();
        for (MemoryRun run : runs.values()) {
            if (isOf(tenantId, run)
                    && matches(run, runs)
                    && (last == null || newestFirst(run.record, last.record) > 0)) {
                found.add(run.record);
            }
        }
        found.sort(RunFilter::newestFirst);
        return List.copyOf(found.subList(0, Math.min(limit(), found.size())));
    }

    private static int newestFirst(RunRecord one, RunRecord other) {
        int byStart = other.startedAt().compareTo(one.startedAt());
        return byStart != 0
                ? byStart
                : other.runId().value().compareTo(one.runId().value());
    }

    private static boolean isOf(@Nullable String tenantId, MemoryRun run) {
        return tenantId == null || run.record.tenantId().equals(tenantId);
    }

    private boolean matches(MemoryRun run, Map<RunId, MemoryRun> runs) {
        return matches(run.record)
                && (!outdated()
                        || (run.indexed < RunSummary.VERSION
                                && !run.record.status().isEnded()))
                && (!leftBelow() || isLeftBelow(run.record, runs))
                && (!woken() || run.wakes > 0);
    }

    private static boolean isLeftBelow(RunRecord record, Map<RunId, MemoryRun> runs) {
        MemoryRun above = record.parentRunId().map(runs::get).orElse(null);
        return !record.status().isEnded()
                && above != null
                && above.record.status().isEnded();
    }

    /** Return whether a record passes those parts of the filter that a record alone decides. */
    private boolean matches(RunRecord run) {
        return (parts.statuses.isEmpty() || parts.statuses.contains(run.status()))
                && (!parts.rootsOnly || run.isRoot())
                && isOrAny(parts.rootRunId, run.rootRunId())
                && isOrAny(parts.threadId, run.threadId().orElse(null))
                && isOrAny(parts.resourceId, run.resourceId().orElse(null))
                && isOrAny(parts.agentId, run.agentId())
                && (parts.tasks == null || parts.tasks.matches(run.task().orElse(null)))
                && isOrAny(parts.untilIdle, run.untilIdle().orElse(null))
                && (parts.startedFrom == null || !run.startedAt().isBefore(parts.startedFrom))
                && (parts.startedBefore == null || run.startedAt().isBefore(parts.startedBefore))
                && (parts.expiringBefore == null
                        || run.expiresAt().filter(parts.expiringBefore::isAfter).isPresent());
    }

    private static boolean isOrAny(@Nullable Object wanted, @Nullable Object actual) {
        return wanted == null || wanted.equals(actual);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunFilter filter && parts.all().equals(filter.parts.all());
    }

    @Override
    public int hashCode() {
        return parts.all().hashCode();
    }

    @Override
    public String toString() {
        return "RunFilter" + parts.all();
    }

    /** The values of a filter; changed only before the filter has them. */
    private static final class Parts {
        Set<RunStatus> statuses = Set.of();
        boolean rootsOnly;

        @Nullable
        RunId rootRunId;

        @Nullable
        String threadId;

        @Nullable
        String resourceId;

        @Nullable
        Instant expiringBefore;

        @Nullable
        String agentId;

        @Nullable
        Instant startedFrom;

        @Nullable
        Instant startedBefore;

        boolean outdated;
        boolean leftBelow;
        boolean woken;

        @Nullable
        TaskFilter tasks;

        @Nullable
        RunId untilIdle;

        @Nullable
        RunId before;

        int limit = 100;

        Parts() {}

        Parts(Parts other) {
            statuses = other.statuses;
            rootsOnly = other.rootsOnly;
            rootRunId = other.rootRunId;
            threadId = other.threadId;
            resourceId = other.resourceId;
            expiringBefore = other.expiringBefore;
            agentId = other.agentId;
            startedFrom = other.startedFrom;
            startedBefore = other.startedBefore;
            outdated = other.outdated;
            leftBelow = other.leftBelow;
            woken = other.woken;
            tasks = other.tasks;
            untilIdle = other.untilIdle;
            before = other.before;
            limit = other.limit;
        }

        List<@Nullable Object> all() {
            return Arrays.asList(
                    statuses,
                    rootsOnly,
                    rootRunId,
                    threadId,
                    resourceId,
                    expiringBefore,
                    agentId,
                    startedFrom,
                    startedBefore,
                    outdated,
                    leftBelow,
                    woken,
                    tasks,
                    untilIdle,
                    before,
                    limit);
        }
    }
}
