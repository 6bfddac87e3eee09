package dev.chargehand.server.internal.wire.mastra.task;

import dev.chargehand.background.Task;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A background task with the runs from which its client reads more fields.
 *
 * @param origin the run that has started it
 * @param root the root of that run, whose owner has the task
 */
record TaskView(Task task, RunRecord origin, RunRecord root) {

    /** Return how it stands, in the client's words. */
    String status() {
        return switch (task.status()) {
            case PENDING -> "pending";
            case RUNNING -> "running";
            case SUSPENDED -> "suspended";
            case COMPLETED -> "completed";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
            case TIMED_OUT -> "timed_out";
        };
    }

    /** Return when it ended. */
    Optional<Instant> completedAt() {
        return task.status().isEnded() ? Optional.of(task.changedAt()) : Optional.empty();
    }

    /**
     * Return its fields. Limits of tasks are those of their agents, and have no place here: their numbers are 0.
     *
     * @param call the call that has started it, if the store still has it
     * @param threadId the thread as its client names it
     */
    Map<String, Object> fields(Optional<RunEvent.ToolCall> call, Optional<String> threadId) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", task.id().value());
        fields.put("status", status());
        fields.put("toolName", call.map(RunEvent.ToolCall::toolName).orElse(task.agentId()));
        fields.put("toolCallId", task.originCallId());
        fields.put("args", call.map(each -> arguments(each.arguments())).orElse(Map.of()));
        fields.put("agentId", origin.agentId());
        threadId.ifPresent(id -> fields.put("threadId", id));
        root.resourceId().ifPresent(id -> fields.put("resourceId", id));
        fields.put("runId", origin.runId().value());
        fields.put("createdAt", task.startedAt().toString());
        fields.put("startedAt", task.startedAt().toString());
        completedAt().ifPresent(time -> fields.put("completedAt", time.toString()));
        fields.put("retryCount", task.attempt() - 1);
        fields.put("maxRetries", 0);
        fields.put("timeoutMs", 0);
        return fields;
    }

    /** Return the result of a task, as that of a delegation, or why it has none; a cancelled one has neither. */
    static Map<String, Object> outcome(RunEvent.RunFinish end) {
        return switch (end.stopReason()) {
            case StopReason.Failed failed -> Map.of("error", Map.of("message", Outcome.message(failed)));
            case StopReason.Cancelled ignored -> Map.of();
            default -> Map.of("result", Map.of("text", end.text()));
        };
    }

    /** Return the arguments of a call; none if the model wrote no object. */
    private static Map<String, Json> arguments(String written) {
        try {
            Json value = Json.parse(written);
            return value.isObject() ? value.fields() : Map.of();
        } catch (InvalidJsonException e) {
            return Map.of();
        }
    }
}
