package dev.chargehand.event;

/** The names of events on the wire. */
final class WireName {

    private WireName() {}

    static String of(RunEvent event) {
        return switch (event) {
            case RunEvent.RunStart ignored -> "run-start";
            case RunEvent.RunResume ignored -> "run-resume";
            case RunEvent.RunFinish ignored -> "run-finish";
            case RunEvent.RunSuspend ignored -> "run-suspend";
            case RunEvent.Error ignored -> "error";
            case RunEvent.Abort ignored -> "abort";
            case RunEvent.IterationStart ignored -> "iteration-start";
            case RunEvent.IterationEnd ignored -> "iteration-end";
            case RunEvent.StepStart ignored -> "step-start";
            case RunEvent.StepFinish ignored -> "step-finish";
            case RunEvent.StepRetry ignored -> "step-retry";
            case RunEvent.TextStart ignored -> "text-start";
            case RunEvent.TextDelta ignored -> "text-delta";
            case RunEvent.TextEnd ignored -> "text-end";
            case RunEvent.ReasoningStart ignored -> "reasoning-start";
            case RunEvent.ReasoningDelta ignored -> "reasoning-delta";
            case RunEvent.ReasoningEnd ignored -> "reasoning-end";
            case RunEvent.ToolCallInputStart ignored -> "tool-call-input-start";
            case RunEvent.ToolCallDelta ignored -> "tool-call-delta";
            case RunEvent.ToolCallInputEnd ignored -> "tool-call-input-end";
            case RunEvent.ToolCall ignored -> "tool-call";
            case RunEvent.ToolCallApproval ignored -> "tool-call-approval";
            case RunEvent.ToolCallSuspended ignored -> "tool-call-suspended";
            case RunEvent.ToolCallAnswered ignored -> "tool-call-answered";
            case RunEvent.ToolResult ignored -> "tool-result";
            case RunEvent.ToolError ignored -> "tool-error";
            case RunEvent.DelegationStart ignored -> "delegation-start";
            case RunEvent.DelegationEnd ignored -> "delegation-end";
            case RunEvent.DelegationRejected ignored -> "delegation-rejected";
            case RunEvent.DelegationBail ignored -> "delegation-bail";
            case RunEvent.ToolOutputDenied ignored -> "tool-output-denied";
            case RunEvent.ScoringStart ignored -> "scoring-start";
            case RunEvent.ScoringComplete ignored -> "scoring-complete";
            case RunEvent.PartialObject ignored -> "object";
            case RunEvent.ObjectResult ignored -> "object-result";
            case RunEvent.Tripwire ignored -> "tripwire";
            case RunEvent.HookError ignored -> "hook-error";
            case RunEvent.UsageReport ignored -> "usage";
            case RunEvent.Data data -> "data-" + data.name();
        };
    }
}
