package dev.chargehand.run;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON form of a stop reason: a code from a closed list and plain details. */
record StoredStopReason(
        String code,
        @Nullable Integer index,
        @Nullable Integer maxSteps,
        @Nullable String which,
        @Nullable String by,
        @Nullable String agentId,
        @Nullable String callId,
        @Nullable String failure,
        @Nullable String error,
        @Nullable String message,
        @Nullable Boolean retryable,
        @Nullable String providerMessage,
        @Nullable String processor,
        @Nullable String phase,
        @Nullable String reason,
        @Nullable Json metadata) {

    static Json write(StopReason reason) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", reason.code());
        switch (reason) {
            case StopReason.StopConditionMet r -> fields.put("index", r.index());
            case StopReason.MaxStepsReached r -> fields.put("maxSteps", r.maxSteps());
            case StopReason.BudgetExhausted r -> fields.put("which", r.which());
            case StopReason.LimitReached r -> fields.put("which", r.which());
            case StopReason.Cancelled r -> fields.put("by", r.by());
            case StopReason.Failed r -> {
                fields.put("error", r.error());
                fields.put("message", r.message());
                fields.put("retryable", r.retryable());
            }
            case StopReason.Bailed r -> {
                fields.put("agentId", r.agentId());
                fields.put("callId", r.callId());
                if (r.failure() != null) {
                    fields.put("failure", r.failure());
                }
            }
            case StopReason.Tripwire r -> {
                fields.put("processor", r.processor());
                fields.put("phase", r.phase().key());
                fields.put("reason", r.reason());
                if (r.metadata() != null) {
                    fields.put("metadata", r.metadata());
                }
            }
            case StopReason.Finished ignored -> {}
            case StopReason.TaskComplete ignored -> {}
            case StopReason.StoppedByHook ignored -> {}
            case StopReason.TaskIncomplete ignored -> {}
            case StopReason.OutputTruncated ignored -> {}
            case StopReason.ContentFiltered ignored -> {}
            case StopReason.AnswerIncomplete ignored -> {}
            case StopReason.Suspended ignored -> {}
        }
        return Json.of(fields);
    }

    static StopReason read(Json json) {
        StoredStopReason stored = json.as(StoredStopReason.class);
        return switch (stored.code) {
            case "finished" -> new StopReason.Finished();
            case "task-complete" -> new StopReason.TaskComplete();
            case "bailed" ->
                new StopReason.Bailed(need(stored.agentId, json), need(stored.callId, json), stored.failure);
            case "stopped-by-hook" -> new StopReason.StoppedByHook();
            case "task-incomplete" -> new StopReason.TaskIncomplete();
            case "stop-condition-met" -> new StopReason.StopConditionMet(need(stored.index, json));
            case "max-steps-reached" -> new StopReason.MaxStepsReached(need(stored.maxSteps, json));
            case "budget-exhausted" -> new StopReason.BudgetExhausted(need(stored.which, json));
            case "limit-reached" -> new StopReason.LimitReached(need(stored.which, json));
            case "output-truncated" -> new StopReason.OutputTruncated();
            case "content-filtered" -> new StopReason.ContentFiltered();
            case "answer-incomplete" -> new StopReason.AnswerIncomplete();
            case "tripwire" ->
                new StopReason.Tripwire(
                        need(stored.processor, json),
                        phase(need(stored.phase, json)),
                        need(stored.reason, json),
                        stored.metadata);
            case "suspended" -> new StopReason.Suspended();
            case "cancelled" -> new StopReason.Cancelled(need(stored.by, json));
            case "failed" ->
                new StopReason.Failed(
                        need(stored.error, json),
                        need(stored.message, json),
                        need(stored.retryable, json),
                        stored.providerMessage);
            default -> throw new InvalidJsonException("'" + stored.code + "' is not the code of a stop reason.", null);
        };
    }

    private static ProcessorPhase phase(String key) {
        try {
            return ProcessorPhase.of(key);
        } catch (IllegalArgumentException e) {
            throw new InvalidJsonException("'" + key + "' is not where a processor is asked.", e);
        }
    }

    private static <T> T need(@Nullable T value, Json json) {
        if (value == null) {
            throw new InvalidJsonException("A stop reason lacks a detail: " + json, null);
        }
        return value;
    }
}
