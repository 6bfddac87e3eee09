package dev.chargehand.background;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.run.RunId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects background tasks: those of a run, of a thread, or all of them. Immutable; every method with an argument returns a
 * changed copy.
 */
public final class TaskFilter {

    /** All tasks. */
    public static final TaskFilter ALL = new TaskFilter(null, null, null, false);

    private final @Nullable RunId originRunId;
    private final @Nullable String threadId;
    private final @Nullable RunId taskId;
    private final boolean unread;

    private TaskFilter(@Nullable RunId originRunId, @Nullable String threadId, @Nullable RunId taskId, boolean unread) {
        this.originRunId = originRunId;
        this.threadId = threadId;
        this.taskId = taskId;
        this.unread = unread;
    }

    /** Return a filter for the tasks that a run has started. */
    public static TaskFilter of(RunId originRunId) {
        return new TaskFilter(Objects.requireNonNull(originRunId, "originRunId"), null, null, false);
    }

    /** Return a filter for the tasks whose results a thread receives. */
    public static TaskFilter ofThread(String threadId) {
        return new TaskFilter(null, Objects.requireNonNull(threadId, "threadId"), null, false);
    }

    /** Return a filter for all attempts of one task. */
    public static TaskFilter attemptsOf(RunId taskId) {
        return new TaskFilter(null, null, Objects.requireNonNull(taskId, "taskId"), false);
    }

    /** Return this filter for tasks that have ended and whose results no run has read. */
    @CheckReturnValue
    public TaskFilter unread(boolean value) {
        return new TaskFilter(originRunId, threadId, taskId, value);
    }

    /** Return the run that started the tasks. */
    public Optional<RunId> originRunId() {
        return Optional.ofNullable(originRunId);
    }

    /** Return the thread that receives the results. */
    public Optional<String> threadId() {
        return Optional.ofNullable(threadId);
    }

    /** Return the task whose attempts are selected. */
    public Optional<RunId> taskId() {
        return Optional.ofNullable(taskId);
    }

    /** Return whether only tasks with an unread result are selected. */
    public boolean unread() {
        return unread;
    }

    /** Return whether a run passes the filter; {@code link} is null unless it is an attempt of a task. */
    public boolean matches(@Nullable TaskLink link) {
        return link != null
                && (originRunId == null || originRunId.equals(link.originRunId()))
                && (threadId == null || threadId.equals(link.originThreadId()))
                && (taskId == null || taskId.equals(link.taskId()))
                && (!unread || link.isUnread());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TaskFilter filter
                && unread == filter.unread
                && Objects.equals(originRunId, filter.originRunId)
                && Objects.equals(threadId, filter.threadId)
                && Objects.equals(taskId, filter.taskId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(originRunId, threadId, taskId, unread);
    }

    @Override
    public String toString() {
        return "TaskFilter[origin=" + originRunId + ", thread=" + threadId + ", task=" + taskId + ", unread=" + unread
                + "]";
    }
}
