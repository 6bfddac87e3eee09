package dev.chargehand.internal.workflow;

import dev.chargehand.hook.Hook;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.concurrent.Callable;

/** Decides whether a human must approve the call of a tool by a step. Thread-safe. */
record StepApprovals(RunScope run) {

    /** Return whether the decision about a tool calls code of the application. */
    boolean callsForeignCode(Tool tool) {
        return tool.approval().isPresent() || !run.approvalPolicies().isEmpty();
    }

    /**
     * Return whether a call must be approved before its first attempt: because its tool, this run or one above it requires it. A
     * policy that fails requires it too.
     */
    boolean isNeeded(WorkflowState state, CallState call, Tool tool, Json arguments) {
        if ((call.parked() != null && !call.isPaused()) || call.retried() != null) {
            return false;
        }
        if (run.options().get(Options.ALL_TOOLS_NEED_APPROVAL)) {
            return true;
        }
        if (tool.approval().isPresent()
                && isNeeded(state, () -> tool.approval().get().test(arguments))) {
            return true;
        }
        ToolCallRequest request =
                new ToolCallRequest(run.info(), state.stepNumber(), call.callId(), tool.name(), arguments, List.of());
        return run.approvalPolicies().stream().anyMatch(policy -> isNeeded(state, () -> policy.test(request)));
    }

    private boolean isNeeded(WorkflowState state, Callable<Boolean> policy) {
        return new Hooks(run).guard(state.stepNumber(), Hook.REQUIRE_TOOL_APPROVAL, false, true, policy);
    }
}
