package dev.chargehand.event;

/** The names of events on the wire. */
final class WireName {

    private static final String ROUTING = "routing-agent-";
    private static final String AGENT = "agent-execution-";
    private static final String TOOL = "tool-execution-";
    private static final String WORKFLOW = "workflow-execution-";
    private static final String OF_A_PRIMITIVE = "event-";

    private WireName() {}

    static String of(RunEvent event) {
        if (!event.origin().network()) {
            return own(event);
        }
        if (event.path().isRoot()) {
            return inNetwork(event);
        }
        return event instanceof RunEvent.OfWorkflow
                ? WORKFLOW + OF_A_PRIMITIVE + own(event).replaceFirst("^workflow-", "")
                : AGENT + OF_A_PRIMITIVE + own(event).replaceFirst("^run-", "");
    }

    /** Return the name of an event of the router's own run. */
    private static String inNetwork(RunEvent event) {
        return switch (event) {
            case RunEvent.TextStart ignored -> ROUTING + own(event);
            case RunEvent.TextDelta ignored -> ROUTING + own(event);
            case RunEvent.TextEnd ignored -> ROUTING + own(event);
            case RunEvent.ReasoningStart ignored -> ROUTING + own(event);
            case RunEvent.ReasoningDelta ignored -> ROUTING + own(event);
            case RunEvent.ReasoningEnd ignored -> ROUTING + own(event);
            case RunEvent.ScoringStart ignored -> "network-validation-start";
            case RunEvent.ScoringComplete ignored -> "network-validation-end";
            case RunEvent.PartialObject ignored -> "network-object";
            case RunEvent.ObjectResult ignored -> "network-object-result";
            case RunEvent.DelegationStart ignored -> AGENT + "start";
            case RunEvent.DelegationEnd ignored -> AGENT + "end";
            case RunEvent.DelegationRejected ignored -> AGENT + OF_A_PRIMITIVE + own(event);
            case RunEvent.DelegationBail ignored -> AGENT + OF_A_PRIMITIVE + own(event);
            case RunEvent.ToolCall e -> kindOf(e.toolName()) + "start";
            case RunEvent.ToolResult e -> kindOf(e.toolName()) + "end";
            case RunEvent.ToolError e -> kindOf(e.toolName()) + "end";
            case RunEvent.ToolCallApproval e -> ofCall(event, e.approval().toolName());
            case RunEvent.ToolCallSuspended e -> ofCall(event, e.approval().toolName());
            case RunEvent.ToolCallAnswered e -> ofCall(event, e.toolName());
            case RunEvent.ToolOutputDenied e -> ofCall(event, e.toolName());
            case RunEvent.Data ignored -> TOOL + OF_A_PRIMITIVE + own(event);
            default -> own(event);
        };
    }

    /** The name of an event of a call, with a prefix that distinguishes it from the primitive's own events. */
    private static String ofCall(RunEvent event, String toolName) {
        return kindOf(toolName) + OF_A_PRIMITIVE + own(event);
    }

    private static String kindOf(String toolName) {
        if (toolName.startsWith("agent-")) {
            return AGENT;
        }
        return toolName.startsWith("workflow-") ? WORKFLOW : TOOL;
    }

    private static String own(RunEvent event) {
        return switch (event) {
            case RunEvent.RunStart ignored -> "run-start";
            case RunEvent.RunResume ignored -> "run-resume";
            case RunEvent.RunFinish ignored -> "run-finish";
            case RunEvent.RunSuspend ignored -> "run-suspend";
            case RunEvent.RunReleased ignored -> "run-released";
            case RunEvent.StreamResumed ignored -> "stream-resumed";
            case RunEvent.Error ignored -> "error";
            case RunEvent.Abort ignored -> "abort";
            case RunEvent.IterationStart ignored -> "iteration-start";
            case RunEvent.IterationEnd ignored -> "iteration-end";
            case RunEvent.StepStart ignored -> "step-start";
            case RunEvent.StepFinish ignored -> "step-finish";
            case RunEvent.StepRetry ignored -> "step-retry";
            case RunEvent.MemoryRecall ignored -> "memory-recall";
            case RunEvent.MemoryProblem ignored -> "memory-problem";
            case RunEvent.WorkingMemoryUpdate ignored -> "working-memory-update";
            case RunEvent.ThreadTitle ignored -> "thread-title";
            case RunEvent.ObservationStart ignored -> "observation-start";
            case RunEvent.ObservationEnd ignored -> "observation-end";
            case RunEvent.ObservationFailed ignored -> "observation-failed";
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
            case RunEvent.RoutingAgentStart ignored -> ROUTING + "start";
            case RunEvent.RoutingAgentEnd ignored -> ROUTING + "end";
            case RunEvent.NetworkStepFinish ignored -> "network-execution-event-step-finish";
            case RunEvent.NetworkFinish ignored -> "network-execution-event-finish";
            case WorkflowEvent.WorkflowStart ignored -> "workflow-start";
            case WorkflowEvent.WorkflowStepStart ignored -> "workflow-step-start";
            case WorkflowEvent.WorkflowStepResult ignored -> "workflow-step-result";
            case WorkflowEvent.WorkflowStepRetry ignored -> "workflow-step-retry";
            case WorkflowEvent.WorkflowStepWaiting ignored -> "workflow-step-waiting";
            case WorkflowEvent.WorkflowStepSuspended ignored -> "workflow-step-suspended";
            case WorkflowEvent.WorkflowStepResumed ignored -> "workflow-step-resumed";
            case WorkflowEvent.WorkflowStepSkipped ignored -> "workflow-step-skipped";
            case WorkflowEvent.WorkflowFinish ignored -> "workflow-finish";
            case BackgroundTaskEvent.BackgroundTaskStarted ignored -> "background-task-started";
            case BackgroundTaskEvent.BackgroundTaskRunning ignored -> "background-task-running";
            case BackgroundTaskEvent.BackgroundTaskProgress ignored -> "background-task-progress";
            case BackgroundTaskEvent.BackgroundTaskSuspended ignored -> "background-task-suspended";
            case BackgroundTaskEvent.BackgroundTaskResumed ignored -> "background-task-resumed";
            case BackgroundTaskEvent.BackgroundTaskCompleted ignored -> "background-task-completed";
            case BackgroundTaskEvent.BackgroundTaskFailed ignored -> "background-task-failed";
            case BackgroundTaskEvent.BackgroundTaskCancelled ignored -> "background-task-cancelled";
            case Idle ignored -> "idle";
            case RunEvent.Data data -> "data-" + data.name();
        };
    }
}
