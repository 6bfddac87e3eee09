package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.StepResult;
import dev.chargehand.workflow.StepOutcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of a result. */
record RunResultRecord(
        RunId runId,
        AgentPath path,
        RunStatus status,
        StopReason stopReason,
        String text,
        List<StepResult> steps,
        List<Message> messages,
        Usage usage,
        Map<String, Usage> usageByAgent,
        BigDecimal cost,
        Optional<CompletionResult> completion,
        Optional<ObjectResult> structured,
        Optional<JsonSchema> objectSchema,
        List<PendingApproval> pendingApprovals,
        Optional<String> threadId,
        Optional<ForkOrigin> forkedFrom,
        List<StepOutcome> workflowSteps,
        Optional<Json> workflowState)
        implements RunResult {

    RunResultRecord {
        steps = List.copyOf(steps);
        messages = List.copyOf(messages);
        pendingApprovals = List.copyOf(pendingApprovals);
        usageByAgent = Map.copyOf(usageByAgent);
    }

    @Override
    public <T> T object(Class<T> type) {
        return object(JsonType.of(type));
    }

    @Override
    public <T> T object(JsonType<T> type) {
        return new ResultObject(this).as(type);
    }

    @Override
    public String toString() {
        return "RunResult[" + status + ", run " + runId + " of " + path + ", " + stopReason + ", text: " + text + "]";
    }
}
