package dev.chargehand.internal.workflow;

import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.workflow.WorkflowContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a tool sees the call of a step. A workflow has no conversation, so there is no thread.
 *
 * @param round the number of the round
 * @param call the context of the step
 */
record StepToolContext(int round, WorkflowContext call) implements ToolContext {

    @Override
    public RunId runId() {
        return call.runId();
    }

    @Override
    public AgentPath path() {
        return call.path();
    }

    @Override
    public int step() {
        return round;
    }

    @Override
    public String callId() {
        return call.callId().orElseThrow();
    }

    @Override
    public String idempotencyKey() {
        return call.idempotencyKey();
    }

    @Override
    public RequestContext requestContext() {
        return call.requestContext();
    }

    @Override
    public String tenantId() {
        return call.tenantId();
    }

    @Override
    public Optional<String> threadId() {
        return Optional.empty();
    }

    @Override
    public Optional<String> resourceId() {
        return call.resourceId();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled();
    }

    @Override
    public @Nullable Object suspend(@Nullable Object payload) {
        return call.suspend(payload);
    }

    @Override
    public Optional<Json> providedData() {
        return call.resumeData();
    }

    @Override
    public void emit(String name, @Nullable Object value) {
        call.emit(name, value);
    }
}
