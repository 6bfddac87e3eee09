package dev.chargehand.workflow;

import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A context without a run: what a definition passes to its functions.
 *
 * @param outputs of the steps that have ended, by id
 */
record FixedContext(Json input, Json state, Map<String, Json> outputs) implements WorkflowContext {

    static FixedContext of(Json input) {
        return new FixedContext(input, Json.parse("{}"), Map.of());
    }

    @Override
    public RunId runId() {
        return RunId.of("run-1");
    }

    @Override
    public AgentPath path() {
        return AgentPath.root("ordering");
    }

    @Override
    public String tenantId() {
        return "local";
    }

    @Override
    public Optional<String> resourceId() {
        return Optional.empty();
    }

    @Override
    public String workflowId() {
        return "ordering";
    }

    @Override
    public String entryId() {
        return "check";
    }

    @Override
    public Optional<String> stepId() {
        return Optional.of("check");
    }

    @Override
    public Optional<String> callId() {
        return Optional.of("call-1");
    }

    @Override
    public String idempotencyKey() {
        return "key-1";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public int iteration() {
        return 1;
    }

    @Override
    public OptionalInt item() {
        return OptionalInt.empty();
    }

    @Override
    public <O> Optional<O> output(Step<?, O> step) {
        return Optional.ofNullable(outputs.get(step.id())).flatMap(step::read);
    }

    @Override
    public void updateState(Object mergePatch) {}

    @Override
    public RequestContext requestContext() {
        return RequestContext.empty();
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void emit(String name, @Nullable Object value) {}

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    public <T> @Nullable T suspend(@Nullable Object payload) {
        return null;
    }

    @Override
    public Optional<Json> resumeData() {
        return Optional.empty();
    }

    @Override
    public Optional<Json> suspendPayload() {
        return Optional.empty();
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    public <T> @Nullable T bail(@Nullable Object output) {
        return null;
    }
}
