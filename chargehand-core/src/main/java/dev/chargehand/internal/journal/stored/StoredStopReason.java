package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.json.Json;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a stop reason: a code from a closed list, and the details that go with it. Texts that cannot be
 * encoded are repaired.
 */
@JsonPropertyOrder({
    "code",
    "index",
    "maxSteps",
    "which",
    "by",
    "agentId",
    "callId",
    "failure",
    "error",
    "message",
    "retryable",
    "providerMessage",
    "processor",
    "phase",
    "reason",
    "metadata"
})
public final class StoredStopReason {

    @JsonProperty("code")
    private final String code;

    @JsonProperty("index")
    private @Nullable Integer index;

    @JsonProperty("maxSteps")
    private @Nullable Integer maxSteps;

    @JsonProperty("which")
    private @Nullable String which;

    @JsonProperty("by")
    private @Nullable String by;

    @JsonProperty("agentId")
    private @Nullable String agentId;

    @JsonProperty("callId")
    private @Nullable String callId;

    @JsonProperty("failure")
    private @Nullable String failure;

    @JsonProperty("error")
    private @Nullable String error;

    @JsonProperty("message")
    private @Nullable String message;

    @JsonProperty("retryable")
    private @Nullable Boolean retryable;

    @JsonProperty("providerMessage")
    private @Nullable String providerMessage;

    @JsonProperty("processor")
    private @Nullable String processor;

    @JsonProperty("phase")
    private @Nullable String phase;

    @JsonProperty("reason")
    private @Nullable String reason;

    @JsonProperty("metadata")
    private @Nullable Json metadata;

    @JsonCreator
    private StoredStopReason(@JsonProperty("code") String code) {
        this.code = code;
    }

    static @Nullable StoredStopReason ofNullable(@Nullable StopReason reason) {
        return reason == null ? null : of(reason);
    }

    static StoredStopReason of(StopReason reason) {
        StoredStopReason stored = new StoredStopReason(reason.code());
        switch (reason) {
            case StopReason.Bailed bailed -> {
                stored.agentId = whole(bailed.agentId());
                stored.callId = whole(bailed.callId());
                stored.failure = whole(bailed.failure());
            }
            case StopReason.StopConditionMet met -> stored.index = met.index();
            case StopReason.MaxStepsReached reached -> stored.maxSteps = reached.maxSteps();
            case StopReason.BudgetExhausted exhausted -> stored.which = whole(exhausted.which());
            case StopReason.LimitReached reached -> stored.which = whole(reached.which());
            case StopReason.Tripwire tripwire -> {
                stored.processor = whole(tripwire.processor());
                stored.phase = phase(tripwire.phase());
                stored.reason = whole(tripwire.reason());
                stored.metadata = tripwire.metadata();
            }
            case StopReason.Cancelled cancelled -> {
                stored.by = whole(cancelled.by());
                stored.reason = whole(cancelled.reason());
            }
            case StopReason.Failed failed -> {
                stored.error = whole(failed.error());
                stored.message = whole(failed.message());
                stored.retryable = failed.retryable();
                stored.providerMessage = whole(failed.providerMessage());
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
        return stored;
    }

    /** Return the form of a reason in lists of runs, which is that of events: without the words of a provider. */
    public static StoredStopReason listed(StopReason reason) {
        StoredStopReason listed = of(reason);
        listed.providerMessage = null;
        return listed;
    }

    private static @Nullable String whole(@Nullable String text) {
        return text == null ? null : WellFormed.text(text);
    }

    private static String phase(ProcessorPhase phase) {
        return switch (phase) {
            case INPUT -> "processInput";
            case INPUT_STEP -> "processInputStep";
            case OUTPUT_STREAM -> "processOutputStream";
            case OUTPUT_STEP -> "processOutputStep";
            case OUTPUT_RESULT -> "processOutputResult";
        };
    }

    static @Nullable StopReason toNullable(@Nullable StoredStopReason stored) {
        return stored == null ? null : stored.toReason();
    }

    StopReason toReason() {
        return switch (code) {
            case "finished" -> new StopReason.Finished();
            case "task-complete" -> new StopReason.TaskComplete();
            case "bailed" -> new StopReason.Bailed(need(agentId), need(callId), failure);
            case "stopped-by-hook" -> new StopReason.StoppedByHook();
            case "task-incomplete" -> new StopReason.TaskIncomplete();
            case "stop-condition-met" -> new StopReason.StopConditionMet(need(index));
            case "max-steps-reached" -> new StopReason.MaxStepsReached(need(maxSteps));
            case "budget-exhausted" -> new StopReason.BudgetExhausted(need(which));
            case "limit-reached" -> new StopReason.LimitReached(need(which));
            case "output-truncated" -> new StopReason.OutputTruncated();
            case "content-filtered" -> new StopReason.ContentFiltered();
            case "answer-incomplete" -> new StopReason.AnswerIncomplete();
            case "tripwire" -> new StopReason.Tripwire(need(processor), phase(need(phase)), need(reason), metadata);
            case "suspended" -> new StopReason.Suspended();
            case "cancelled" -> new StopReason.Cancelled(need(by), reason);
            case "failed" -> new StopReason.Failed(need(error), need(message), need(retryable), providerMessage);
            default -> throw new InvalidJsonException("'" + code + "' is not the code of a stop reason.", null);
        };
    }

    private static ProcessorPhase phase(String name) {
        for (ProcessorPhase each : ProcessorPhase.values()) {
            if (phase(each).equals(name)) {
                return each;
            }
        }
        throw new InvalidJsonException("'" + name + "' is not a phase in which processors are called.", null);
    }

    private <T> T need(@Nullable T value) {
        if (value == null) {
            throw new InvalidJsonException("A stop reason '" + code + "' lacks a detail.", null);
        }
        return value;
    }
}
