package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** A background task, as it stands. Immutable. */
@Experimental
public final class Task {

    private final TaskLink link;
    private final RunId runId;
    private final String agentId;
    private final TaskStatus status;
    private final Usage usage;
    private final Instant startedAt;
    private final Instant changedAt;

    /**
     * Create what is known of a task.
     *
     * @param link the link of its last attempt, with the reader of its result
     * @param runId the run of its last attempt
     */
    public Task(
            TaskLink link,
            RunId runId,
            String agentId,
            TaskStatus status,
            Usage usage,
            Instant startedAt,
            Instant changedAt) {
        this.link = Objects.requireNonNull(link, "link");
        this.runId = Objects.requireNonNull(runId, "runId");
        this.agentId = Objects.requireNonNull(agentId, "agentId");
        this.status = Objects.requireNonNull(status, "status");
        this.usage = Objects.requireNonNull(usage, "usage");
        this.startedAt = Objects.requireNonNull(startedAt, "startedAt");
        this.changedAt = Objects.requireNonNull(changedAt, "changedAt");
    }

    /** Return its id: that of the run of its first attempt. */
    public RunId id() {
        return link.taskId();
    }

    /** Return the run of its last attempt. */
    public RunId runId() {
        return runId;
    }

    /** Return the number of its last attempt, from 1. */
    public int attempt() {
        return link.attempt();
    }

    /** Return the id of the agent or workflow that works on it. */
    public String agentId() {
        return agentId;
    }

    /** Return how it stands. */
    public TaskStatus status() {
        return status;
    }

    /** Return the run that started it. */
    public RunId originRunId() {
        return link.originRunId();
    }

    /** Return the call that started it. */
    public String originCallId() {
        return link.originCallId();
    }

    /** Return the thread that receives its result. */
    public String originThreadId() {
        return link.originThreadId();
    }

    /** Return the tokens of its last attempt, so far, with those of its nested runs that have ended. */
    public Usage usage() {
        return usage;
    }

    /** Return when its last attempt was stored. */
    public Instant startedAt() {
        return startedAt;
    }

    /** Return when it last changed. */
    public Instant changedAt() {
        return changedAt;
    }

    /** Return the root run that has given its result to a model, if one has. */
    public Optional<RunId> readBy() {
        return Optional.ofNullable(link.readBy());
    }

    @Override
    public String toString() {
        return "Task[" + id() + " of '" + agentId + "', " + status + "]";
    }
}
