package dev.chargehand.workflow.view;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How far the workflows among a run and its nested runs have come, by the events of the run.
 *
 * <pre>{@code
 * WorkflowProgress progress = WorkflowProgress.of(runtime.history(runId));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class WorkflowProgress {

    private final List<StepProgress> steps;
    private final List<WorkflowEvent.WorkflowFinish> finished;
    private final List<WorkflowEvent.WorkflowStart> started;

    private WorkflowProgress(Reader reader) {
        this.steps = List.copyOf(reader.calls.values());
        this.finished = List.copyOf(reader.finished);
        this.started = List.copyOf(reader.started);
    }

    /**
     * Read the events of a run in their order; those of other kinds are left out.
     *
     * @param events the history of a run, or its events so far
     */
    public static WorkflowProgress of(List<? extends RunEvent> events) {
        Reader reader = new Reader();
        events.forEach(reader::read);
        return new WorkflowProgress(reader);
    }

    /** Return the calls of steps and the entries that slept, in the order in which they started. */
    public List<StepProgress> steps() {
        return steps;
    }

    /** Return the starts of the workflows among the runs, in order. */
    List<WorkflowEvent.WorkflowStart> started() {
        return started;
    }

    /** Return whether a workflow's run has passed its last entry. */
    boolean hasPassedAll(RunId runId) {
        return finished.stream()
                .anyMatch(finish -> finish.runId().equals(runId)
                        && finish.status() == RunStatus.COMPLETED
                        && !(finish.stopReason() instanceof StopReason.Bailed));
    }

    /** Folds events. */
    private static final class Reader {

        private final Map<String, StepProgress> calls = new LinkedHashMap<>();
        private final Set<String> sleeps = new HashSet<>();
        private final List<WorkflowEvent.WorkflowFinish> finished = new ArrayList<>();
        private final List<WorkflowEvent.WorkflowStart> started = new ArrayList<>();

        void read(RunEvent event) {
            switch (event) {
                case WorkflowEvent.WorkflowStart e -> started.add(e);
                case WorkflowEvent.WorkflowStepStart e ->
                    calls.put(e.callId(), StepProgress.started(e, e.stepPath(), e.stepId(), e.iteration()));
                case WorkflowEvent.WorkflowStepWaiting e -> {
                    sleeps.add(e.callId());
                    calls.put(e.callId(), StepProgress.waiting(e, e.stepPath(), e.stepPath()));
                }
                case WorkflowEvent.WorkflowStepRetry e ->
                    change(e.callId(), call -> call.retried(e.attempt(), e.error()));
                // A call that has to be approved before it starts is new.
                case WorkflowEvent.WorkflowStepSuspended e ->
                    calls.compute(
                            e.callId(),
                            (id, call) -> call == null
                                    ? StepProgress.waiting(e, e.stepPath(), e.stepId())
                                    : call.with(StepState.WAITING));
                case WorkflowEvent.WorkflowStepResumed e ->
                    change(
                            e.callId(),
                            call -> call.with(sleeps.contains(e.callId()) ? StepState.DONE : StepState.RUNNING));
                case WorkflowEvent.WorkflowStepResult e ->
                    change(e.callId(), call -> call.ended(e.duration(), e.error()));
                case WorkflowEvent.WorkflowStepSkipped e -> e.steps().forEach(step -> skipped(e, step));
                case WorkflowEvent.WorkflowFinish e -> {
                    finished.add(e);
                    changeOpen(e.runId(), StepState.STOPPED);
                }
                // A run is suspended when nothing but waiting is left: for an answer, for a time, or in a nested run.
                case RunEvent.RunSuspend e -> changeOpen(e.runId(), StepState.WAITING);
                case RunEvent.RunFinish e -> changeOpen(e.runId(), StepState.STOPPED);
                default -> {}
            }
        }

        private void skipped(WorkflowEvent.WorkflowStepSkipped event, String step) {
            calls.put(event.runId() + " " + event.step() + " " + step, StepProgress.skipped(event, step));
        }

        private void change(String callId, UnaryOperator<StepProgress> change) {
            calls.computeIfPresent(callId, (id, call) -> change.apply(call));
        }

        private void changeOpen(RunId runId, StepState state) {
            calls.replaceAll((id, call) -> call.isOpen() && call.runId().equals(runId) ? call.with(state) : call);
        }
    }
}
