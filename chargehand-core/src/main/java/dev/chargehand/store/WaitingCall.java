package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call of a run that waits, as a store lists it: for an answer from outside, or for a time.
 *
 * @param runId the run that makes the call
 * @param callId the call
 * @param waiting for what it waits, and until when
 * @param toolName the tool, or the step of a workflow
 * @param requester on whose behalf the run works, or null
 * @param description what approvers are shown, as {@link dev.chargehand.approval.PendingApproval#toJson} writes it; null for a timer, and for
 *     a call that an earlier version stored
 */
public record WaitingCall(
        RunId runId,
        String callId,
        Waiting waiting,
        String toolName,
        @Nullable String requester,
        @Nullable Json description) {

    public WaitingCall {
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(callId, "callId");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(toolName, "toolName");
    }

    /**
     * For what a call waits, and until when.
     *
     * @param kind for what
     * @param number how often the call has waited, this time included, from 1
     * @param since since when
     * @param expiresAt from when on the call counts as declined; of a timer, the time it waits for
     */
    public record Waiting(WaitKind kind, int number, Instant since, Instant expiresAt) {

        public Waiting {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(since, "since");
            Objects.requireNonNull(expiresAt, "expiresAt");
        }
    }

    /** Return for what it waits. */
    public WaitKind kind() {
        return waiting.kind();
    }

    /** Return how often it has waited, this time included, from 1. */
    public int waitNumber() {
        return waiting.number();
    }

    /** Return since when it waits. */
    public Instant since() {
        return waiting.since();
    }

    /** Return from when on it counts as declined; of a timer, the time it waits for. */
    public Instant expiresAt() {
        return waiting.expiresAt();
    }

    /**
     * Which calls that wait for an answer to list, the one that waits longest first. A part that is not set matches every call.
     *
     * <p>Immutable; every method with an argument returns a changed copy, so start with {@link #ALL}. Two filters are equal if all
     * their parts are.
     */
    public static final class WaitingFilter {

        /** The first hundred calls. */
        public static final WaitingFilter ALL = new WaitingFilter(new Parts());

        private static final Comparator<Listed> LONGEST_FIRST = Comparator.comparing(Listed::position);

        private final Parts parts;

        private WaitingFilter(Parts parts) {
            this.parts = parts;
        }

        private WaitingFilter with(Consumer<Parts> change) {
            Parts changed = new Parts(parts);
            change.accept(changed);
            return new WaitingFilter(changed);
        }

        /**
         * A call that waits for an answer, with what a list needs of its root run.
         *
         * @param call the call; without a description if what an earlier version stored of its run was not brought up to date
         * @param rootRunId the run at the top of its tree
         * @param resourceId the resource of that run, or null
         */
        public record Listed(
                WaitingCall call, RunId rootRunId, @Nullable String resourceId) {

            public Listed {
                Objects.requireNonNull(call, "call");
                Objects.requireNonNull(rootRunId, "rootRunId");
            }

            /** Return its place in the list. */
            public Position position() {
                return new Position(call.since(), call.runId(), call.callId());
            }
        }

        /** The place of a call in the list: by the millisecond since which it waits, then by the ids of its run and of itself. */
        public record Position(Instant since, RunId runId, String callId) implements Comparable<Position> {

            private static final Comparator<Position> ORDER = Comparator.comparing(Position::since)
                    .thenComparing(position -> position.runId().value())
                    .thenComparing(Position::callId);

            public Position {
                since = since.truncatedTo(ChronoUnit.MILLIS);
                Objects.requireNonNull(runId, "runId");
                Objects.requireNonNull(callId, "callId");
            }

            @Override
            public int compareTo(Position other) {
                return ORDER.compare(this, other);
            }
        }

        /** Return the resource whose root runs the calls belong to. */
        public Optional<String> resourceId() {
            return Optional.ofNullable(parts.resourceId);
        }

        /** Return the agent that makes the calls. */
        public Optional<String> agent() {
            return Optional.ofNullable(parts.agent);
        }

        /** Return the tool that is called. */
        public Optional<String> toolName() {
            return Optional.ofNullable(parts.toolName);
        }

        /** Return before which time the calls expire. */
        public Optional<Instant> expiresBefore() {
            return Optional.ofNullable(parts.expiresBefore);
        }

        /** Return the place of the last call of the previous page. */
        public Optional<Position> after() {
            return Optional.ofNullable(parts.after);
        }

        /** Return how many calls are listed at most, from 1 to 1000. */
        public int limit() {
            return parts.limit;
        }

        /** Return this filter for the root runs of one resource, and their nested runs. */
        @CheckReturnValue
        public WaitingFilter resource(String value) {
            return with(changed -> changed.resourceId = value);
        }

        /** Return this filter for the calls of one agent: the id of a root agent, or the key of a sub-agent. */
        @CheckReturnValue
        public WaitingFilter agent(String value) {
            return with(changed -> changed.agent = value);
        }

        /** Return this filter for the calls of one tool. */
        @CheckReturnValue
        public WaitingFilter tool(String name) {
            return with(changed -> changed.toolName = name);
        }

        /** Return this filter for the calls that expire before a time; the millisecond counts. */
        @CheckReturnValue
        public WaitingFilter expiresBefore(Instant time) {
            return with(changed -> changed.expiresBefore = time.truncatedTo(ChronoUnit.MILLIS));
        }

        /** Return this filter for the page after a call, which may be answered meanwhile. */
        @CheckReturnValue
        public WaitingFilter after(PendingApproval last) {
            return after(new Position(last.askedAt(), last.runId(), last.callId()));
        }

        /** Return this filter for the page after a place. */
        @CheckReturnValue
        public WaitingFilter after(Position value) {
            return with(changed -> changed.after = value);
        }

        /**
         * Return this filter with another page size.
         *
         * @throws IllegalArgumentException if it is not from 1 to 1000
         */
        @CheckReturnValue
        public WaitingFilter limit(int value) {
            if (value < 1 || value > 1000) {
                throw new IllegalArgumentException("A page has 1 to 1000 waiting calls, not " + value + ".");
            }
            return with(changed -> changed.limit = value);
        }

        /** Return the calls in memory that pass the filter. */
        List<Listed> among(Map<RunId, MemoryRun> runs, String tenantId) {
            return runs.values().stream()
                    .filter(run -> run.record.tenantId().equals(tenantId) && run.inbox != null)
                    .flatMap(run -> of(run, Objects.requireNonNull(runs.get(run.record.rootRunId())).record))
                    .filter(call -> parts.after == null || call.position().compareTo(parts.after) > 0)
                    .sorted(LONGEST_FIRST)
                    .limit(limit())
                    .toList();
        }

        private Stream<Listed> of(MemoryRun run, RunRecord root) {
            boolean matches = !run.record.status().isEnded()
                    && !root.status().isEnded()
                    && isOrAny(parts.resourceId, root.resourceId().orElse(null))
                    && isOrAny(
                            parts.agent,
                            run.record.path().substring(1 + run.record.path().lastIndexOf('/')));
            return !matches
                    ? Stream.empty()
                    : run.inbox().waiting().stream()
                            .filter(call -> call.kind().answer().isPresent()
                                    && isOrAny(parts.toolName, call.toolName())
                                    && (parts.expiresBefore == null
                                            || call.expiresAt()
                                                    .truncatedTo(ChronoUnit.MILLIS)
                                                    .isBefore(parts.expiresBefore)))
                            .map(call -> new Listed(
                                    call, root.runId(), root.resourceId().orElse(null)));
        }

        private static boolean isOrAny(@Nullable Object wanted, @Nullable Object actual) {
            return wanted == null || wanted.equals(actual);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof WaitingFilter filter && parts.all().equals(filter.parts.all());
        }

        @Override
        public int hashCode() {
            return parts.all().hashCode();
        }

        @Override
        public String toString() {
            return "WaitingFilter" + parts.all();
        }

        /** The values of a filter; changed only before the filter has them. */
        private static final class Parts {
            @Nullable
            String resourceId;

            @Nullable
            String agent;

            @Nullable
            String toolName;

            @Nullable
            Instant expiresBefore;

            @Nullable
            Position after;

            int limit = 100;

            Parts() {}

            Parts(Parts other) {
                resourceId = other.resourceId;
                agent = other.agent;
                toolName = other.toolName;
                expiresBefore = other.expiresBefore;
                after = other.after;
                limit = other.limit;
            }

            List<@Nullable Object> all() {
                return Arrays.asList(resourceId, agent, toolName, expiresBefore, after, limit);
            }
        }
    }
}
