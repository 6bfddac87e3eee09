package dev.chargehand.workflow.view;

import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far one call of a step has come.
 *
 * <p>Immutable and thread-safe.
 *
 * @param runId the run of the workflow that has the step
 * @param path the path of that run, such as {@code ordering} or {@code ordering/delivery}
 * @param stepPath the place of the step in that workflow, such as {@code check} or {@code parcels[3]}
 * @param stepId the id of the step; of an entry that sleeps, that of the entry
 * @param iteration the number of the iteration of a loop, from 1
 * @param state how far it has come; never {@link StepState#NOT_REACHED}
 * @param attempts how often it was attempted; 0 if it was skipped or sleeps
 * @param startedAt when it started; empty if it was skipped
 * @param duration how long the last attempt took; empty as long as it has not ended
 * @param error the message of the last attempt that failed, unless a later one had an output
 */
public record StepProgress(
        RunId runId,
        AgentPath path,
        String stepPath,
        String stepId,
        int iteration,
        StepState state,
        int attempts,
        Optional<Instant> startedAt,
        Optional<Duration> duration,
        Optional<String> error) {

    StepProgress with(StepState other) {
        return new StepProgress(runId, path, stepPath, stepId, iteration, other, attempts, startedAt, duration, error);
    }

    StepProgress retried(int attempt, String message) {
        return new StepProgress(
                runId,
                path,
                stepPath,
                stepId,
                iteration,
                StepState.RUNNING,
                attempt + 1,
                startedAt,
                duration,
                Optional.of(message));
    }

    StepProgress ended(Duration lasted, Optional<String> message) {
        return new StepProgress(
                runId,
                path,
                stepPath,
                stepId,
                iteration,
                message.isPresent() ? StepState.FAILED : StepState.DONE,
                attempts,
                startedAt,
                Optional.of(lasted),
                message);
    }

    boolean isOpen() {
        return state == StepState.RUNNING || state == StepState.WAITING;
    }
}
