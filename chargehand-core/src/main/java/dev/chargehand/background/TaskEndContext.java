package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;

/**
 * A background task that has ended, for an observer.
 *
 * @param taskId the task
 * @param agentId the id of the agent or workflow that has worked on it
 * @param originRunId the run that started it
 * @param attempt the number of the attempt that was the last, from 1
 * @param stopReason why it ended
 * @param text what it answered, or a part of that; may be empty
 * @param usage the tokens of the last attempt
 */
@Experimental
public record TaskEndContext(
        RunId taskId,
        String agentId,
        RunId originRunId,
        int attempt,
        StopReason stopReason,
        String text,
        Usage usage) {}
