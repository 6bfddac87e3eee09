package dev.chargehand.background;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.run.RunId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the record of a run says about the background task that the run belongs to.
 *
 * @param taskId the task: the run of its first attempt
 * @param originRunId the run that delegated the work
 * @param originCallId the call of that run
 * @param originThreadId the thread that receives the result
 * @param attempt the number of the attempt, from 1
 * @param resultAt the position of the result in that thread; null until the task has ended. Only the first attempt has it
 * @param readBy the root run that has given the result to a model; null until one has. Only the first attempt has it
 */
public record TaskLink(
        RunId taskId,
        RunId originRunId,
        String originCallId,
        String originThreadId,
        int attempt,
        @Nullable Long resultAt,
        @Nullable RunId readBy) {

    public TaskLink {
        Objects.requireNonNull(taskId, "taskId");
        Objects.requireNonNull(originRunId, "originRunId");
        Objects.requireNonNull(originCallId, "originCallId");
        Objects.requireNonNull(originThreadId, "originThreadId");
    }

    /** Make the link of an attempt of a task that has not ended. */
    public TaskLink(RunId taskId, RunId originRunId, String originCallId, String originThreadId, int attempt) {
        this(taskId, originRunId, originCallId, originThreadId, attempt, null, null);
    }

    /** Return this link with a result at a position of the thread. */
    @CheckReturnValue
    public TaskLink ended(long position) {
        return new TaskLink(taskId, originRunId, originCallId, originThreadId, attempt, position, readBy);
    }

    /** Return this link with a result that a run has read. */
    @CheckReturnValue
    public TaskLink readBy(RunId reader) {
        return new TaskLink(taskId, originRunId, originCallId, originThreadId, attempt, resultAt, reader);
    }

    /** Return whether there is a result that no run has read. */
    public boolean isUnread() {
        return resultAt != null && readBy == null;
    }
}
