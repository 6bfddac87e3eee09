package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.background.TaskLink;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as a store lists it: its ids, its owner and its status, without its facts.
 *
 * <p>A store builds records with {@link #builder} from what it has stored. Immutable; two records are equal if all
 * their values are.
 */
public final class RunRecord {

    private final Builder values;

    private RunRecord(Builder values) {
        this.values = values;
    }

    /** Create a builder of the record of a root run that starts: it is running, in epoch 1, and has no facts. */
    public static Builder builder(RunId runId, String agentId, String owner, Instant startedAt) {
        return new Builder(runId, agentId, owner, startedAt);
    }

    /** Return the id of the run. */
    public RunId runId() {
        return values.runId;
    }

    /** Return the tenant that it belongs to, with its whole tree. */
    public String tenantId() {
        return values.tenantId;
    }

    /** Return the run at the top of its tree; itself for a root run. */
    public RunId rootRunId() {
        return values.rootRunId;
    }

    /** Return the run that delegated to it; empty for a root run. */
    public Optional<RunId> parentRunId() {
        return Optional.ofNullable(values.parentRunId);
    }

    /** Return the tool call by which it was delegated; empty for a root run. */
    public Optional<String> parentCallId() {
        return Optional.ofNullable(values.parentCallId);
    }

    /** Return the id of its agent. */
    public String agentId() {
        return values.agentId;
    }

    /** Return the path of its agent, as text. */
    public String path() {
        return values.path;
    }

    /** Return the thread that it appends to, if it has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(values.threadId);
    }

    /** Return the resource that the run and its thread belong to, if there is one. */
    public Optional<String> resourceId() {
        return Optional.ofNullable(values.resourceId);
    }

    /** Return the status after its last fact. */
    public RunStatus status() {
        return values.status;
    }

    /**
     * Return the process that may write to a root run and its nested runs; empty text if it was released. Of a nested
     * run: the process that started it.
     */
    public String owner() {
        return values.owner;
    }

    /** Return how often the owner of a root run has changed, from 1. Of a nested run: the epoch in which it started. */
    public long epoch() {
        return values.epoch;
    }

    /** Return the number of its facts. */
    public long length() {
        return values.length;
    }

    /** Return when it started. */
    public Instant startedAt() {
        return values.startedAt;
    }

    /** Return when a fact was last appended. */
    public Instant updatedAt() {
        return values.updatedAt;
    }

    /** Return when the first decision that it waits for expires; empty if it waits for none. */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(values.expiresAt);
    }

    /** Return its stop reason, usage, cost, step and first words; empty if an earlier version stored it and nothing read it since. */
    public Optional<RunSummary> summary() {
        return Optional.ofNullable(values.summary);
    }

    /** Return how often a root run was woken since it last made progress. */
    public int attempts() {
        return values.attempts;
    }

    /** Return the background task that it is an attempt of, if it is one. */
    public Optional<TaskLink> task() {
        return Optional.ofNullable(values.task);
    }

    /** Return the first turn of the until-idle call that it is a turn or a background task of; empty for another run. */
    public Optional<RunId> untilIdle() {
        return Optional.ofNullable(values.untilIdle);
    }

    /** Return whether this is the run at the top of its tree. */
    public boolean isRoot() {
        return runId().equals(rootRunId());
    }

    /** Return this record after facts were appended; it waits for no decision then. */
    @CheckReturnValue
    public RunRecord advanced(RunStatus newStatus, long newLength, Instant at) {
        return advanced(newStatus, newLength, at, null);
    }

    /** Return this record after facts were appended; null if it waits for no decision then. */
    @CheckReturnValue
    public RunRecord advanced(RunStatus newStatus, long newLength, Instant at, @Nullable Instant newExpiresAt) {
        return new Builder(values)
                .status(newStatus)
                .length(newLength)
                .updatedAt(at)
                .expiresAt(newExpiresAt)
                .build();
    }

    /** Return this record with another summary. */
    @CheckReturnValue
    public RunRecord summarized(RunSummary newSummary) {
        return new Builder(values).summary(newSummary).build();
    }

    /** Return this record without the first words of its input. */
    @CheckReturnValue
    public RunRecord withoutFirstWords() {
        RunSummary before = values.summary;
        return before == null ? this : summarized(before.withoutFirstWords());
    }

    /** Return this record after another owner claimed it; a pending run is running then. */
    @CheckReturnValue
    public RunRecord claimed(String newOwner) {
        return new Builder(values)
                .owner(newOwner)
                .epoch(epoch() + 1)
                .status(status() == RunStatus.PENDING ? RunStatus.RUNNING : status())
                .build();
    }

    /** Return this record of a run of a tenant. */
    @CheckReturnValue
    public RunRecord tenantId(String value) {
        return values.tenantId.equals(value)
                ? this
                : new Builder(values).tenantId(value).build();
    }

    /** Return this record with another link to its task. */
    @CheckReturnValue
    public RunRecord task(TaskLink value) {
        return new Builder(values).task(value).build();
    }

    /** Return this record with another number of attempts to wake it. */
    @CheckReturnValue
    public RunRecord attempts(int value) {
        return new Builder(values).attempts(value).build();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunRecord record && values.all().equals(record.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "RunRecord" + values.all();
    }

    /** Builds a {@link RunRecord}. Not thread-safe. */
    public static final class Builder {
        private final RunId runId;
        private final String agentId;
        private final Instant startedAt;
        private String tenantId = Store.LOCAL;
        private RunId rootRunId;
        private @Nullable RunId parentRunId;
        private @Nullable String parentCallId;
        private String path;
        private @Nullable String threadId;
        private @Nullable String resourceId;
        private RunStatus status = RunStatus.RUNNING;
        private String owner;
        private long epoch = 1;
        private long length;
        private Instant updatedAt;
        private @Nullable Instant expiresAt;
        private @Nullable RunSummary summary;
        private int attempts;
        private @Nullable TaskLink task;
        private @Nullable RunId untilIdle;

        private Builder(RunId runId, String agentId, String owner, Instant startedAt) {
            this.runId = runId;
            this.rootRunId = runId;
            this.agentId = agentId;
            this.path = agentId;
            this.owner = owner;
            this.startedAt = startedAt;
            this.updatedAt = startedAt;
        }

        private Builder(Builder other) {
            this(other.runId, other.agentId, other.owner, other.startedAt);
            this.tenantId = other.tenantId;
            this.rootRunId = other.rootRunId;
            this.parentRunId = other.parentRunId;
            this.parentCallId = other.parentCallId;
            this.path = other.path;
            this.threadId = other.threadId;
            this.resourceId = other.resourceId;
            this.status = other.status;
            this.epoch = other.epoch;
            this.length = other.length;
            this.updatedAt = other.updatedAt;
            this.expiresAt = other.expiresAt;
            this.summary = other.summary;
            this.attempts = other.attempts;
            this.task = other.task;
            this.untilIdle = other.untilIdle;
        }

        /** Set the tenant that it belongs to; a store sets it itself for what is written. Default: {@link Store#LOCAL}. */
        public Builder tenantId(String value) {
            tenantId = value;
            return this;
        }

        /** Set the run at the top of its tree. Default: the run itself. */
        public Builder rootRunId(RunId value) {
            rootRunId = value;
            return this;
        }

        /** Set the run that delegated to it. Default: null, for a root run. */
        public Builder parentRunId(@Nullable RunId value) {
            parentRunId = value;
            return this;
        }

        /** Set the tool call by which it was delegated. Default: null, for a root run. */
        public Builder parentCallId(@Nullable String value) {
            parentCallId = value;
            return this;
        }

        /** Set the path of its agent, as text. Default: the agent's id. */
        public Builder path(String value) {
            path = value;
            return this;
        }

        /** Set the thread that it appends to. Default: null, for none. */
        public Builder threadId(@Nullable String value) {
            threadId = value;
            return this;
        }

        /** Set the resource that the run and its thread belong to. Default: null, for none. */
        public Builder resourceId(@Nullable String value) {
            resourceId = value;
            return this;
        }

        /** Set the status. Default: running. */
        public Builder status(RunStatus value) {
            status = value;
            return this;
        }

        /** Set the process that may write to it; empty text for a released run. */
        public Builder owner(String value) {
            owner = value;
            return this;
        }

        /** Set how often its owner has changed. Default: 1. */
        public Builder epoch(long value) {
            epoch = value;
            return this;
        }

        /** Set the number of its facts. Default: 0. */
        public Builder length(long value) {
            length = value;
            return this;
        }

        /** Set when a fact was last appended. Default: when it started. */
        public Builder updatedAt(Instant value) {
            updatedAt = value;
            return this;
        }

        /** Set when the first decision that it waits for expires. Default: null, for none. */
        public Builder expiresAt(@Nullable Instant value) {
            expiresAt = value;
            return this;
        }

        /** Set how it stands. Default: null, for a run that an earlier version has stored. */
        public Builder summary(@Nullable RunSummary value) {
            summary = value;
            return this;
        }

        /** Set how often it was woken since it last made progress. Default: 0. */
        public Builder attempts(int value) {
            attempts = value;
            return this;
        }

        /** Set the background task that it is an attempt of. Default: null, for none. */
        public Builder task(@Nullable TaskLink value) {
            task = value;
            return this;
        }

        /** Set the first run of the until-idle call that it is a turn or a task of. Default: null, for none. */
        public Builder untilIdle(@Nullable RunId value) {
            untilIdle = value;
            return this;
        }

        /** Build the record. The builder may be used again. */
        public RunRecord build() {
            return new RunRecord(new Builder(this));
        }

        private List<@Nullable Object> all() {
            return Arrays.asList(
                    runId,
                    tenantId,
                    rootRunId,
                    parentRunId,
                    parentCallId,
                    agentId,
                    path,
                    threadId,
                    resourceId,
                    status,
                    owner,
                    epoch,
                    length,
                    startedAt,
                    updatedAt,
                    expiresAt,
                    summary,
                    attempts,
                    task,
                    untilIdle);
        }
    }
}
