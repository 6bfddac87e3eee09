package dev.chargehand.server.internal.wire.mastra.workflow;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a workflow's run as Mastra's client reads it, kept from the events of the run and of the workflows that its steps execute. Used by
 * one thread.
 */
public final class WorkflowState {

    private static final String SUSPENDED = "suspended";

    /**
     * The steps of a run.
     *
     * @param prefix what their paths start with: that of the step whose work the run does, and a dot; empty for the root run
     * @param outer the run of that step; null for the root run
     */
    private record Level(String prefix, @Nullable Level outer, Map<String, Map<String, Object>> steps) {

        Map<String, Object> change(String path, String status) {
            Map<String, Object> step = steps.computeIfAbsent(prefix + path, id -> new LinkedHashMap<>());
            step.put("status", status);
            return step;
        }

        /** Return the path of the step whose work the run does, within its own run. */
        String step(Level around) {
            return prefix.substring(around.prefix().length(), prefix.length() - 1);
        }
    }

    private final RunId root;
    private final StepPlaces places;
    private final Map<String, Map<String, Object>> steps = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> below = new LinkedHashMap<>();
    private final Map<RunId, Level> levels = new HashMap<>();
    private final Map<String, PendingApproval> waiting = new LinkedHashMap<>();
    private final Set<String> sleeps = new HashSet<>();
    private String status = "pending";
    private @Nullable Json input;
    private @Nullable Json output;
    private @Nullable Json shared;
    private @Nullable String error;

    /** Make that of a run of a workflow that is not known, for the chunks of its steps. */
    public WorkflowState(RunId root) {
        this(root, StepPlaces.UNKNOWN);
    }

    /** Make that of a run. */
    public WorkflowState(RunId root, StepPlaces places) {
        this.root = root;
        this.places = places;
        levels.put(root, new Level("", null, steps));
    }

    /** Note an event of the run, or of a nested one. */
    public void note(RunEvent event) {
        if (event.runId().equals(root)) {
            noteRun(event);
        }
        Level level = levels.get(event.runId());
        if (level != null && event instanceof WorkflowEvent step) {
            noteStep(step, level);
        }
    }

    private void noteRun(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart ignored -> status = "running";
            case RunEvent.RunResume ignored -> status = "running";
            case WorkflowEvent.WorkflowStart start -> input = start.input();
            case WorkflowEvent.WorkflowFinish finish -> {
                output = finish.output();
                shared = finish.state();
            }
            case RunEvent.RunSuspend suspend -> status = suspend.pending().isEmpty() ? "waiting" : SUSPENDED;
            case RunEvent.RunFinish finish -> finish(finish);
            default -> {}
        }
    }

    private void noteStep(WorkflowEvent event, Level level) {
        switch (event) {
            case WorkflowEvent.WorkflowStepStart start -> {
                Map<String, Object> step = new LinkedHashMap<>();
                step.put("status", "running");
                step.put("payload", start.input());
                step.put("startedAt", start.time().toEpochMilli());
                String path = level.prefix() + start.stepPath();
                level.steps().put(path, step);
                if (start.nestedRunId() != null) {
                    levels.put(start.nestedRunId(), new Level(path + ".", level, below));
                }
            }
            case WorkflowEvent.WorkflowStepResult result -> {
                Map<String, Object> step = level.change(result.stepPath(), "failed");
                step.remove("suspendPayload");
                if (result.error() != null) {
                    step.put("error", error(result.error()));
                } else {
                    step.put("status", "success");
                    step.put("output", result.output() == null ? Json.of(null) : result.output());
                }
                step.put("endedAt", result.time().toEpochMilli());
                waiting.remove(level.prefix() + result.stepPath());
            }
            case WorkflowEvent.WorkflowStepSuspended suspended -> {
                suspend(suspended, level, suspended.stepPath());
                waiting.put(level.prefix() + suspended.stepPath(), suspended.approval());
            }
            case WorkflowEvent.WorkflowStepWaiting waits -> {
                String path = level.prefix() + waits.stepPath();
                if (!level.steps().containsKey(path)) { // an entry that only waits does not start
                    sleeps.add(path);
                }
                Map<String, Object> step = level.change(waits.stepPath(), "waiting");
                if (level.outer() == null) {
                    inputOf(waits.stepPath()).ifPresent(value -> step.putIfAbsent("payload", value));
                }
                step.putIfAbsent("startedAt", waits.time().toEpochMilli());
            }
            case WorkflowEvent.WorkflowStepResumed resumed -> {
                String path = level.prefix() + resumed.stepPath();
                if (sleeps.remove(path)) {
                    Map<String, Object> step = level.change(resumed.stepPath(), "success");
                    Optional.ofNullable(step.get("payload")).ifPresent(value -> step.put("output", value));
                    step.put("endedAt", resumed.time().toEpochMilli());
                } else {
                    resume(resumed, level, resumed.stepPath());
                }
                waiting.remove(path);
            }
            default -> {}
        }
    }

    /** A step waits, and so do those around it: with the same question. */
    private static void suspend(WorkflowEvent.WorkflowStepSuspended event, Level level, String path) {
        Map<String, Object> step = level.change(path, SUSPENDED);
        step.put("suspendPayload", event.approval().payload().orElse(Json.of(Map.of())));
        step.put("suspendedAt", event.time().toEpochMilli());
        if (level.outer() != null) {
            suspend(event, level.outer(), level.step(level.outer()));
        }
    }

    private static void resume(WorkflowEvent.WorkflowStepResumed event, Level level, String path) {
        Map<String, Object> step = level.change(path, "running");
        if (step.containsKey("suspendedAt")) {
            step.put("resumedAt", event.time().toEpochMilli());
        }
        if (level.outer() != null) {
            resume(event, level.outer(), level.step(level.outer()));
        }
    }

    /** Return the input of an entry that only waits: no event has it, but that of the step before has the same value. */
    private Optional<Json> inputOf(String entry) {
        if (places.isFirst(entry)) {
            return Optional.ofNullable(input);
        }
        return places.before(entry)
                .map(step -> steps.getOrDefault(step, Map.of()).get("output"))
                .map(Json.class::cast);
    }

    private void finish(RunEvent.RunFinish finish) {
        waiting.clear();
        switch (finish.stopReason()) {
            case StopReason.Failed failed -> {
                status = "failed";
                error = Outcome.message(failed);
            }
            case StopReason.Cancelled ignored -> status = "canceled";
            default -> {
                boolean ended = finish.status() == RunStatus.COMPLETED;
                status = ended ? "success" : "failed";
                error = ended
                        ? null
                        : "The run has ended with '" + finish.stopReason().code() + "'.";
            }
        }
    }

    /** Return the status of the run, in the words of the client. */
    public String status() {
        return status;
    }

    /** Return the fields of a step; empty if it has not started. */
    public Map<String, Object> step(String path) {
        return steps.getOrDefault(path, Map.of());
    }

    /** Return the calls of steps that wait, by their paths. */
    public Map<String, PendingApproval> waiting() {
        return Map.copyOf(waiting);
    }

    /** Return what the run gave; empty if it has not completed. */
    public Optional<Json> output() {
        return status.equals("success") ? Optional.of(output == null ? Json.of(null) : output) : Optional.empty();
    }

    /** Return the steps with those of nested workflows, whose paths start with that of their step. */
    public Map<String, Object> allSteps() {
        Map<String, Object> all = new LinkedHashMap<>(steps);
        steps.forEach((path, step) -> {
            if (SUSPENDED.equals(step.get("status"))
                    && below.keySet().stream().anyMatch(id -> id.startsWith(path + "."))) {
                Map<String, Object> running = new LinkedHashMap<>(step);
                running.put("status", "running"); // the step below is the one that waits
                all.put(path, running);
            }
        });
        all.putAll(below);
        return all;
    }

    /** Return the fields of a result. */
    public Map<String, Object> result() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", status);
        if (input != null) {
            fields.put("input", input);
            fields.put("payload", input);
        }
        if (shared != null && !shared.fields().isEmpty()) {
            fields.put("initialState", shared); // so its client names the state of a run
        }
        fields.put("steps", Map.copyOf(steps));
        boolean isOpen = List.of("pending", "running", "waiting", SUSPENDED).contains(status);
        fields.put("activeStepsPath", isOpen ? paths(List.of("running", "waiting")) : Map.of());
        fields.put("suspendedPaths", isOpen ? paths(List.of(SUSPENDED)) : Map.of());
        if (status.equals(SUSPENDED)) {
            fields.put(
                    "suspended",
                    waiting.keySet().stream().map(WorkflowState::ids).toList());
            Map<String, Object> payloads = new LinkedHashMap<>();
            steps.forEach((path, step) -> Optional.ofNullable(step.get("suspendPayload"))
                    .filter(payload -> SUSPENDED.equals(step.get("status")))
                    .ifPresent(payload -> payloads.put(path, payload)));
            fields.put("suspendPayload", payloads);
        } else if (error != null) {
            fields.put("error", error(error));
        }
        output().ifPresent(value -> fields.put("result", value));
        return fields;
    }

    /** Return the places of the steps that have one of some statuses. */
    private Map<String, List<Integer>> paths(List<String> statuses) {
        Map<String, List<Integer>> paths = new LinkedHashMap<>();
        steps.forEach((path, step) -> {
            if (statuses.contains(String.valueOf(step.get("status")))) {
                places.path(path).ifPresent(place -> paths.put(path, place));
            }
        });
        return paths;
    }

    private static List<String> ids(String path) {
        List<String> ids = new ArrayList<>();
        int from = 0;
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', from)) {
            ids.add(path.substring(from, dot));
            from = dot + 1;
        }
        ids.add(path.substring(from));
        return List.copyOf(ids);
    }

    private static Map<String, Object> error(String message) {
        return Map.of("name", "Error", "message", message);
    }
}
