package dev.chargehand.internal.agent.act;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.agent.delegation.ChildCall;
import dev.chargehand.internal.agent.delegation.DelegationExecutor;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Executes the calls of a model: tools and delegations. Thread-safe. */
public final class CalleeExecutor implements CallExecutor {

    @Override
    public Optional<Fact> execute(RunScope scope, State state, CallState call, BailArbiter siblings) {
        if (call.isTask()) {
            return Optional.of(started(scope, state, call));
        }
        Toolbox.Callee callee = scope.toolbox().callees().get(call.call().name());
        return switch (callee) {
            case Toolbox.ToolCallee tool -> Optional.of(new ToolExecution(scope).execute(state, call, tool.tool()));
            case Toolbox.AgentCallee agent ->
                new DelegationExecutor(scope, state.conversation(), call, agent, siblings).execute();
            case Toolbox.WorkflowCallee workflow -> new WorkflowCall(scope, call, workflow).execute(state);
            case null ->
                Optional.of(new ChildCall(scope, state, call)
                        .gone("The tool '" + call.call().name() + "' no longer exists; its call was not executed."));
        };
    }

    /** Start a background task. A start that is repeated after a crash changes nothing. */
    private static Fact started(RunScope scope, State state, CallState call) {
        try {
            scope.root().tasks().start(scope, state, call);
        } catch (ConfigurationException e) {
            return ToolResults.failed(scope, call, "The task was not started. " + e.getMessage(), e.getMessage());
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.DELIVERED) {
                scope.root().deliveries().refresh(); // the run is cancelled
                scope.cancellation().check();
            }
            throw e;
        }
        Map<String, String> result = new LinkedHashMap<>();
        result.put("task", call.child().runId().value());
        result.put("status", "started");
        return ToolResults.with(scope, call, Json.of(result));
    }
}
