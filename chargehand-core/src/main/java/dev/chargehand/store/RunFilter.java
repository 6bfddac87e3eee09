package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list, newest first; a part that is null matches every run.
 *
 * @param statuses where they stand; empty for any
 * @param rootsOnly whether to leave nested runs out
 * @param rootRunId runs of one tree
 * @param threadId runs of one thread
 * @param resourceId runs of one resource
 * @param expiringBefore only runs that wait for an answer which expires before this moment
 * @param leftBelow only runs that have not ended though the run above them has
 * @param before only runs listed after this one, for the next page
 * @param limit how many at most, from 1 to 1000
 */
public record RunFilter(
        Set<RunStatus> statuses,
        boolean rootsOnly,
        @Nullable RunId rootRunId,
        @Nullable String threadId,
        @Nullable String resourceId,
        @Nullable Instant expiringBefore,
        boolean leftBelow,
        @Nullable RunId before,
        int limit) {

    /** The first hundred runs, nested ones included. */
    public static final RunFilter ALL = new RunFilter(Set.of(), false, null, null, null, null, false, null, 100);

    /** The first hundred root runs. */
    public static final RunFilter ROOTS = new RunFilter(Set.of(), true, null, null, null, null, false, null, 100);

    public RunFilter {
        statuses = Set.copyOf(statuses);
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("A page has 1 to 1000 runs, not " + limit + ".");
        }
    }

    /** Returns this filter for some statuses. */
    public RunFilter statuses(RunStatus... values) {
        return new RunFilter(
                Set.of(values), rootsOnly, rootRunId, threadId, resourceId, expiringBefore, leftBelow, before, limit);
    }

    /** Returns this filter for the tree of one root run, nested runs included. */
    public RunFilter tree(RunId value) {
        return new RunFilter(statuses, false, value, threadId, resourceId, expiringBefore, leftBelow, before, limit);
    }

    /** Returns this filter for one thread. */
    public RunFilter thread(String value) {
        return new RunFilter(
                statuses, rootsOnly, rootRunId, value, resourceId, expiringBefore, leftBelow, before, limit);
    }

    /** Returns this filter for one resource. */
    public RunFilter resource(String value) {
        return new RunFilter(statuses, rootsOnly, rootRunId, threadId, value, expiringBefore, leftBelow, before, limit);
    }

    /** Returns this filter for runs that wait for an answer which expires before a moment. */
    public RunFilter expiringBefore(Instant value) {
        return new RunFilter(statuses, rootsOnly, rootRunId, threadId, resourceId, value, leftBelow, before, limit);
    }

    /** Returns this filter for runs that have not ended though the run above them has: their process died in between. */
    public RunFilter leftBelow(boolean value) {
        return new RunFilter(
                statuses, rootsOnly, rootRunId, threadId, resourceId, expiringBefore, value, before, limit);
    }

    /** Returns this filter for the page after a run. */
    public RunFilter before(RunId value) {
        return new RunFilter(
                statuses, rootsOnly, rootRunId, threadId, resourceId, expiringBefore, leftBelow, value, limit);
    }

    /** Returns this filter with another page size. */
    public RunFilter limit(int value) {
        return new RunFilter(
                statuses, rootsOnly, rootRunId, threadId, resourceId, expiringBefore, leftBelow, before, value);
    }
}
