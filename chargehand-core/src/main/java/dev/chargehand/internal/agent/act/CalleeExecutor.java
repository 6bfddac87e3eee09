package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.agent.delegation.DelegationExecutor;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import java.util.Optional;

/** Executes the calls of a model: tools and delegations. Thread-safe. */
public final class CalleeExecutor implements CallExecutor {

    @Override
    public Optional<Fact> execute(RunScope scope, State state, CallState call, BailArbiter siblings) {
        Toolbox.Callee callee = scope.toolbox().callees().get(call.call().name());
        return switch (callee) {
            case Toolbox.ToolCallee tool -> Optional.of(new ToolExecution(scope).execute(state, call, tool.tool()));
            case Toolbox.AgentCallee agent ->
                new DelegationExecutor(scope, state.conversation(), call, agent, siblings).execute();
            case null -> Optional.of(gone(scope, call));
        };
    }

    /** A delegation whose start was emitted gets an end, even if its child never ran. */
    private static Fact.CallClosed gone(RunScope run, CallState call) {
        String error = "The tool '" + call.call().name() + "' no longer exists; its call was not executed.";
        ChildEnd child = call.isOpenDelegation()
                ? run.root().delegations().end(run, call, new StopReason.Failed("configuration", error, false))
                : null;
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, child, null, null, run.now());
    }
}
