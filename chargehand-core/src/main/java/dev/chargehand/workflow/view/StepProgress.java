package dev.chargehand.workflow.view;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far one call of a step has come, or an entry that sleeps.
 *
 * <p>Immutable and thread-safe.
 */
public final class StepProgress {

    private final Place place;
    private final StepState state;
    private final int attempts;
    private final @Nullable Duration duration;
    private final @Nullable String error;

    private StepProgress(
            Place place, StepState state, int attempts, @Nullable Duration duration, @Nullable String error) {
        this.place = place;
        this.state = state;
        this.attempts = attempts;
        this.duration = duration;
        this.error = error;
    }

    /** What does not change; the time is that of the start, or null if the step was skipped. */
    private record Place(
            RunId runId,
            AgentPath path,
            String stepPath,
            String stepId,
            int iteration,
            @Nullable Instant startedAt) {}

    /** Make the progress of a call that starts with an event. */
    static StepProgress started(RunEvent event, String stepPath, String stepId, int iteration) {
        Place place = new Place(event.runId(), event.path(), stepPath, stepId, iteration, event.time());
        return new StepProgress(place, StepState.RUNNING, 1, null, null);
    }

    /** Make the progress of a call that waits before its first attempt, or of an entry that sleeps. */
    static StepProgress waiting(RunEvent event, String stepPath, String stepId) {
        Place place = new Place(event.runId(), event.path(), stepPath, stepId, 1, event.time());
        return new StepProgress(place, StepState.WAITING, 0, null, null);
    }

    /** Make the progress of a step that a condition left out. */
    static StepProgress skipped(RunEvent event, String stepId) {
        Place place = new Place(event.runId(), event.path(), stepId, stepId, 1, null);
        return new StepProgress(place, StepState.SKIPPED, 0, null, null);
    }

    StepProgress with(StepState other) {
        return new StepProgress(place, other, attempts, duration, error);
    }

    StepProgress retried(int attempt, String message) {
        return new StepProgress(place, StepState.RUNNING, attempt + 1, duration, message);
    }

    StepProgress ended(Duration lasted, @Nullable String message) {
        StepState end = message == null ? StepState.DONE : StepState.FAILED;
        return new StepProgress(place, end, attempts, lasted, message);
    }

    boolean isOpen() {
        return state == StepState.RUNNING || state == StepState.WAITING;
    }

    /** Return the run of the workflow that has the step. */
    public RunId runId() {
        return place.runId();
    }

    /** Return the path of that run, such as {@code ordering} or {@code ordering/delivery}. */
    public AgentPath path() {
        return place.path();
    }

    /** Return the place of the step in that workflow, such as {@code check} or {@code parcels[3]}. */
    public String stepPath() {
        return place.stepPath();
    }

    /** Return the id of the step; of an entry that sleeps, that of the entry. */
    public String stepId() {
        return place.stepId();
    }

    /** Return the number of the iteration of a loop, from 1. */
    public int iteration() {
        return place.iteration();
    }

    /** Return how far it has come; never {@link StepState#NOT_REACHED}. */
    public StepState state() {
        return state;
    }

    /** Return how often it was attempted; 0 if it was skipped, sleeps, or waits before its first attempt. */
    public int attempts() {
        return attempts;
    }

    /** Return when it started; empty if it was skipped. */
    public Optional<Instant> startedAt() {
        return Optional.ofNullable(place.startedAt());
    }

    /** Return how long the last attempt took; empty as long as it has not ended. */
    public Optional<Duration> duration() {
        return Optional.ofNullable(duration);
    }

    /** Return the message of the last attempt that failed, unless a later one had an output. */
    public Optional<String> error() {
        return Optional.ofNullable(error);
    }

    @Override
    public String toString() {
        return "StepProgress[" + path() + " " + stepPath() + ", " + state + "]";
    }
}
