package dev.chargehand.internal.fact.task;

import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a run comes from that is a background task.
 *
 * @param taskId the id of the task: that of the run of its first attempt
 * @param attempt the number of the attempt that the run is, from 1
 * @param retries how many attempts may follow the first
 * @param runId the run that delegated the work
 * @param callId the call of that run
 * @param threadId the thread that receives the result
 * @param owner the owner of that thread
 * @param agentIds the agents above the task, from the root to the one that delegated
 * @param ownThread whether each attempt has a thread of its own
 * @param untilIdle the first run of the until-idle call that the run is a turn of, whose next turn the end of the task starts, or null
 */
public record TaskOrigin(
        RunId taskId,
        int attempt,
        int retries,
        RunId runId,
        String callId,
        String threadId,
        ThreadOwner owner,
        List<String> agentIds,
        boolean ownThread,
        @Nullable RunId untilIdle) {

    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    public TaskOrigin {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(callId, "callId");
        Objects.requireNonNull(threadId, "threadId");
        Objects.requireNonNull(owner, "owner");
        agentIds = List.copyOf(agentIds);
    }

    /** Return whether another attempt follows one that ended so: it failed with a retryable error, or took too long. */
    public boolean isRetriedAfter(StopReason stop) {
        boolean failed = stop instanceof StopReason.Failed failure && failure.retryable();
        boolean tookTooLong =
                stop instanceof StopReason.LimitReached limit && limit.which().equals(TimeLimit.TASK.key());
        return attempt <= retries && (failed || tookTooLong);
    }

    /** Return the id of the run of the next attempt. */
    public RunId nextRunId() {
        return new RunId(taskId + "." + (attempt + 1));
    }

    /** Return how long the next attempt waits: 1 s after the first, then twice as long each time. */
    public Duration delay() {
        Duration doubled = Duration.ofSeconds(1L << Math.min(attempt - 1, 10));
        return doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : LONGEST_DELAY;
    }

    /** Return the origin of the next attempt. */
    public TaskOrigin next() {
        return new TaskOrigin(
                taskId, attempt + 1, retries, runId, callId, threadId, owner, agentIds, ownThread, untilIdle);
    }
}
