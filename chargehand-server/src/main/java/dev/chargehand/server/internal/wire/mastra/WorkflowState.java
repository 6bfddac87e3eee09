package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a workflow's run as Mastra's client reads it, kept from the events of the run. Used by one thread. */
final class WorkflowState {

    private final Map<String, Map<String, Object>> steps = new LinkedHashMap<>();
    private final Map<String, PendingApproval> waiting = new LinkedHashMap<>();
    private String status = "pending";
    private @Nullable Json input;
    private @Nullable Json output;
    private @Nullable String error;

    /** Note an event of the run. */
    void note(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart ignored -> status = "running";
            case RunEvent.RunResume ignored -> status = "running";
            case WorkflowEvent.WorkflowStart start -> input = start.input();
            case WorkflowEvent.WorkflowFinish finish -> output = finish.output();
            case RunEvent.RunSuspend suspend -> status = suspend.pending().isEmpty() ? "waiting" : "suspended";
            case RunEvent.RunFinish finish -> finish(finish);
            case WorkflowEvent step -> noteStep(step);
            default -> {}
        }
    }

    private void noteStep(WorkflowEvent event) {
        switch (event) {
            case WorkflowEvent.WorkflowStepStart start -> {
                Map<String, Object> step = new LinkedHashMap<>();
                step.put("status", "running");
                step.put("payload", start.input());
                step.put("startedAt", start.time().toEpochMilli());
                steps.put(start.stepPath(), step);
            }
            case WorkflowEvent.WorkflowStepResult result -> {
                Map<String, Object> step = change(result.stepPath(), "failed");
                step.remove("suspendPayload");
                if (result.error() != null) {
                    step.put("error", error(result.error()));
                } else {
                    step.put("status", "success");
                    step.put("output", result.output() == null ? Json.of(null) : result.output());
                }
                step.put("endedAt", result.time().toEpochMilli());
                waiting.remove(result.stepPath());
            }
            case WorkflowEvent.WorkflowStepSuspended suspended -> {
                Map<String, Object> step = change(suspended.stepPath(), "suspended");
                step.put("suspendPayload", suspended.approval().payload().orElse(Json.of(Map.of())));
                step.put("suspendedAt", suspended.time().toEpochMilli());
                waiting.put(suspended.stepPath(), suspended.approval());
            }
            case WorkflowEvent.WorkflowStepWaiting waits ->
                change(waits.stepPath(), "waiting")
                        .putIfAbsent("startedAt", waits.time().toEpochMilli());
            case WorkflowEvent.WorkflowStepResumed resumed -> {
                change(resumed.stepPath(), "running");
                waiting.remove(resumed.stepPath());
            }
            default -> {}
        }
    }

    private Map<String, Object> change(String path, String newStatus) {
        Map<String, Object> step = steps.computeIfAbsent(path, id -> new LinkedHashMap<>());
        step.put("status", newStatus);
        return step;
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
    String status() {
        return status;
    }

    /** Return the fields of a step; empty if it has not started. */
    Map<String, Object> step(String path) {
        return steps.getOrDefault(path, Map.of());
    }

    /** Return the call that waits at a step; empty if none does. */
    Optional<PendingApproval> waitingAt(String path) {
        return Optional.ofNullable(waiting.get(path));
    }

    /** Return the calls of steps that wait, by their paths. */
    Map<String, PendingApproval> waiting() {
        return Map.copyOf(waiting);
    }

    /** Return the fields of a result. */
    Map<String, Object> result() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", status);
        if (input != null) {
            fields.put("input", input);
        }
        fields.put("steps", Map.copyOf(steps));
        if (status.equals("success")) {
            fields.put("result", output == null ? Json.of(null) : output);
        } else if (status.equals("suspended")) {
            fields.put("suspended", waiting.keySet().stream().map(List::of).toList());
            Map<String, Object> payloads = new LinkedHashMap<>();
            waiting.forEach((path, call) -> payloads.put(path, call.payload().orElse(Json.of(Map.of()))));
            fields.put("suspendPayload", payloads);
        } else if (error != null) {
            fields.put("error", error(error));
        }
        return fields;
    }

    private static Map<String, Object> error(String message) {
        return Map.of("name", "Error", "message", message);
    }
}
