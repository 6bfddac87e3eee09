package dev.chargehand.server.internal.wire.mastra.workflow;

import dev.chargehand.run.RunStatus;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs of workflows in the forms that Mastra's client reads. */
public final class RunViews {

    /** The fields of a run that a request may leave out. */
    private static final Set<String> OPTIONAL = Set.of(
            "result",
            "error",
            "payload",
            "steps",
            "suspended",
            "suspendPayload",
            "activeStepsPath",
            "suspendedPaths",
            "serializedStepGraph");

    private RunViews() {}

    /** Return a run that was waited for. */
    public static Map<String, Object> result(WorkflowState state, Workflow<?, ?> workflow) {
        Map<String, Object> fields = state.result();
        fields.put("serializedStepGraph", WorkflowViews.graph(workflow));
        return fields;
    }

    /** Return a run that is read alone. */
    public static Map<String, Object> read(RunRecord run, WorkflowState state, Workflow<?, ?> workflow) {
        Map<String, Object> fields = fields(run);
        fields.put("status", status(run.status()));
        fields.putAll(result(state, workflow));
        fields.remove("input"); // it is the payload
        return fields;
    }

    /** Remove the fields of a run that are not among those that are wanted. */
    public static void keep(Map<String, Object> fields, Set<String> wanted) {
        fields.keySet().removeIf(name -> OPTIONAL.contains(name) && !wanted.contains(name));
    }

    /** Return a run as an entry of a list. */
    public static Map<String, Object> listed(RunRecord run, Workflow<?, ?> workflow) {
        Map<String, Object> fields = fields(run);
        fields.put("snapshot", snapshot(run, workflow));
        return fields;
    }

    /** Return the state of a run as the client declares it; what its steps did is in the run itself only. */
    private static Map<String, Object> snapshot(RunRecord run, Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.runId().value());
        fields.put("status", status(run.status()));
        List.of("value", "context", "activeStepsPath", "suspendedPaths", "resumeLabels", "waitingPaths")
                .forEach(name -> fields.put(name, Map.of()));
        fields.put("activePaths", List.of());
        fields.put("serializedStepGraph", WorkflowViews.graph(workflow));
        fields.put("timestamp", run.updatedAt().toEpochMilli());
        return fields;
    }

    /** Return the statuses that a word of the client stands for. */
    public static RunStatus[] statuses(String word) {
        return switch (word) {
            case "pending" -> new RunStatus[] {RunStatus.PENDING};
            case "running" -> new RunStatus[] {RunStatus.RUNNING};
            case "suspended", "waiting", "paused" -> new RunStatus[] {RunStatus.SUSPENDED};
            case "success" -> new RunStatus[] {RunStatus.COMPLETED};
            case "failed", "tripwire" -> new RunStatus[] {RunStatus.FAILED, RunStatus.INCOMPLETE};
            case "canceled" -> new RunStatus[] {RunStatus.ABORTED};
            case "bailed", "skipped" -> new RunStatus[] {}; // of steps, never of runs
            default ->
                throw Problem.BAD_REQUEST.of("The parameter 'status' must be one of pending, running,"
                        + " suspended, waiting, success, failed, canceled.");
        };
    }

    private static String status(RunStatus status) {
        return switch (status) {
            case PENDING -> "pending";
            case RUNNING -> "running";
            case SUSPENDED -> "suspended";
            case COMPLETED -> "success";
            case ABORTED -> "canceled";
            case INCOMPLETE, FAILED -> "failed";
        };
    }

    private static Map<String, Object> fields(RunRecord run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.runId().value());
        fields.put("workflowName", run.agentId());
        run.resourceId().ifPresent(id -> fields.put("resourceId", id));
        fields.put("createdAt", run.startedAt().toString());
        fields.put("updatedAt", run.updatedAt().toString());
        return fields;
    }
}
