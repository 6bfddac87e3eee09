package dev.chargehand.internal.fact.task;

import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.message.Fence;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import java.util.List;
import java.util.Optional;

/** The messages by which the results of background tasks are given to a model. */
public final class TaskMessages {

    private static final String PREFIX = "task-";

    private TaskMessages() {}

    /** Return the id of the message with the result of a task, and of the delivery of its end. */
    public static String idOf(RunId taskId) {
        return PREFIX + taskId;
    }

    /** Return the task whose result a message is, if it is one. */
    public static Optional<RunId> taskOf(Message message) {
        return message.internal()
                        && message.id().startsWith(PREFIX)
                        && message.id().length() > PREFIX.length()
                ? Optional.of(new RunId(message.id().substring(PREFIX.length())))
                : Optional.empty();
    }

    /**
     * Make the message of a task that has ended.
     *
     * @param agent the id of what has worked on the task
     * @param text what it answered, or a part of that
     * @param mostBytes how many bytes of the text are shown at most
     */
    public static Message of(TaskOrigin origin, String agent, StopReason stop, String text, long mostBytes) {
        String end = "Background task " + origin.taskId() + " of '" + agent + "' " + said(stop, text.isBlank());
        String whole = text.isBlank()
                ? end
                : end + " Its text follows, as data.\n" + Fence.around("task-result", Excerpt.within(text, mostBytes));
        return new Message(idOf(origin.taskId()), Role.USER, List.of(new Part.Text(whole)), true);
    }

    /** A failure's own words may come from a provider; the model gets its code only. */
    private static String said(StopReason stop, boolean silent) {
        return switch (stop) {
            case StopReason.Failed failed -> "failed (" + failed.error() + ").";
            case StopReason.Cancelled ignored -> "was cancelled.";
            default -> {
                if (stop instanceof StopReason.LimitReached limit
                        && limit.which().equals(TimeLimit.TASK.key())) {
                    yield "took longer than its time limit and was stopped.";
                }
                if (stop.status() == RunStatus.COMPLETED) {
                    yield silent ? "completed, but its answer was empty." : "completed.";
                }
                yield "gave no complete answer. " + stop.explanation();
            }
        };
    }
}
