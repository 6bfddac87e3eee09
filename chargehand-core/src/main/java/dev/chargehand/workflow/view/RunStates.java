package dev.chargehand.workflow.view;

import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The states of the runs of one workflow; there may be several, as those of a nested workflow in a loop. Immutable. */
final class RunStates {

    /** A step with several calls has the first of these that one of them has. */
    private static final List<StepState> BY_ATTENTION = List.of(
            StepState.WAITING,
            StepState.RUNNING,
            StepState.FAILED,
            StepState.STOPPED,
            StepState.DONE,
            StepState.SKIPPED);

    private final @Nullable WorkflowProgress progress;
    private final List<WorkflowEvent.WorkflowStart> runs;

    private RunStates(@Nullable WorkflowProgress progress, List<WorkflowEvent.WorkflowStart> runs) {
        this.progress = progress;
        this.runs = runs;
    }

    /** Return the states of the uppermost runs of a workflow. */
    static RunStates of(Workflow<?, ?> workflow, @Nullable WorkflowProgress progress) {
        if (progress == null) {
            return new RunStates(null, List.of());
        }
        List<WorkflowEvent.WorkflowStart> its = progress.started().stream()
                .filter(run -> run.workflowId().equals(workflow.id()))
                .toList();
        int upper = its.stream().mapToInt(RunStates::depth).min().orElse(0);
        return new RunStates(
                progress, its.stream().filter(run -> depth(run) == upper).toList());
    }

    private static int depth(WorkflowEvent.WorkflowStart run) {
        return run.path().segments().size();
    }

    /** Return the states of the runs that a step has started. */
    RunStates below(Step<?, ?> step) {
        if (progress == null) {
            return this;
        }
        Set<List<String>> paths = runs.stream()
                .map(run -> {
                    List<String> path = new ArrayList<>(run.path().segments());
                    path.add(step.id());
                    return path;
                })
                .collect(Collectors.toSet());
        return new RunStates(
                progress,
                progress.started().stream()
                        .filter(run -> paths.contains(run.path().segments()))
                        .toList());
    }

    /** Return whether states are shown. */
    boolean areShown() {
        return progress != null;
    }

    /** Return the calls of a step, or of an entry that sleeps. */
    List<StepProgress> calls(String stepId) {
        Set<RunId> ids = runs.stream().map(WorkflowEvent.WorkflowStart::runId).collect(Collectors.toSet());
        return progress == null
                ? List.of()
                : progress.steps().stream()
                        .filter(call -> call.stepId().equals(stepId) && ids.contains(call.runId()))
                        .toList();
    }

    /** Return the state of a step, or of an entry that sleeps; one that was passed without a call was left out. */
    StepState of(String stepId, List<Entry> followers) {
        List<StepProgress> calls = calls(stepId);
        return calls.isEmpty() && hasPassed(followers) ? StepState.SKIPPED : mostUrgent(calls);
    }

    /** Return the state of an entry that has no call of its own. */
    StepState of(Entry entry, List<Entry> followers) {
        return isReached(entry) || hasPassed(followers) ? StepState.DONE : StepState.NOT_REACHED;
    }

    /** Return the state of the start of the workflow. */
    StepState ofStart() {
        return runs.isEmpty() ? StepState.NOT_REACHED : StepState.DONE;
    }

    /** Return the state of the end of the workflow. */
    StepState ofEnd() {
        return hasPassed(List.of()) ? StepState.DONE : StepState.NOT_REACHED;
    }

    private boolean hasPassed(List<Entry> followers) {
        WorkflowProgress known = progress;
        return known != null
                && (runs.stream().anyMatch(run -> known.hasPassedAll(run.runId()))
                        || followers.stream().anyMatch(this::isReached));
    }

    private boolean isReached(Entry entry) {
        return !calls(entry.id()).isEmpty()
                || entry.steps().stream().anyMatch(step -> !calls(step.id()).isEmpty());
    }

    private static StepState mostUrgent(List<StepProgress> calls) {
        Set<StepState> states = calls.stream().map(StepProgress::state).collect(Collectors.toSet());
        return BY_ATTENTION.stream().filter(states::contains).findFirst().orElse(StepState.NOT_REACHED);
    }
}
