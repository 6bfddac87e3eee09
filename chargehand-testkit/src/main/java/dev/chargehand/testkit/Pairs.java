package dev.chargehand.testkit;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds events that started and did not end, or ended and did not start; what started before a stream that resumes, or
 * ends after one that was suspended, is in another stream. A run that waits may end without being resumed, and one that
 * its process left is resumed though it has not ended.
 */
final class Pairs {

    private final Map<String, String> open = new LinkedHashMap<>();
    private final Set<RunId> running = new HashSet<>();
    private final Set<RunId> waiting = new HashSet<>();
    private final List<String> faults = new ArrayList<>();
    private boolean started;
    private boolean resumed;
    private boolean suspended;

    private Pairs() {}

    static List<String> faultsOf(List<RunEvent> events) {
        Pairs pairs = new Pairs();
        events.forEach(pairs::see);
        if (!pairs.suspended) {
            pairs.open.forEach((key, type) -> pairs.faults.add(type + " of " + key + " has no end"));
        }
        return pairs.faults;
    }

    private void see(RunEvent event) {
        if (event instanceof RunEvent.StreamResumed) {
            return; // of the reader, not of a run
        }
        String run = "run " + event.runId();
        String step = run + " step " + event.step();
        resumed |= !started && event instanceof RunEvent.RunResume;
        started = true;
        suspended = event instanceof RunEvent.RunSuspend || event instanceof RunEvent.RunReleased;
        if (event instanceof RunEvent.RunStart || event instanceof RunEvent.RunResume) {
            if (!running.add(event.runId()) && event instanceof RunEvent.RunResume) {
                open.remove(run); // its process left it
            }
            waiting.remove(event.runId());
        } else if (!running.contains(event.runId())
                && !waiting.contains(event.runId())
                && !(event instanceof RunEvent.RunReleased)) {
            faults.add(event.type() + " of " + run + " is outside of it");
        }
        switch (event) {
            case RunEvent.RunStart ignored -> begin(event, run);
            case RunEvent.RunResume ignored -> begin(event, run);
            case RunEvent.RunFinish ignored -> {
                if (!waiting.remove(event.runId())) {
                    end(event, run);
                }
                running.remove(event.runId());
            }
            case RunEvent.RunSuspend ignored -> {
                end(event, run);
                running.remove(event.runId());
                waiting.add(event.runId());
            }
            case RunEvent.RunReleased ignored -> running.remove(event.runId());
            case Idle ignored -> {}
            case RunEvent.StreamResumed ignored -> {}
            case RunEvent.StepStart ignored -> begin(event, step);
            case RunEvent.StepFinish ignored -> end(event, step);
            case RunEvent.IterationStart ignored -> begin(event, step + " as iteration");
            case RunEvent.IterationEnd ignored -> end(event, step + " as iteration");
            case RunEvent.TextStart e -> begin(event, "text " + e.textId());
            case RunEvent.TextDelta e -> within(event, "text " + e.textId());
            case RunEvent.TextEnd e -> end(event, "text " + e.textId());
            case RunEvent.ReasoningStart e -> begin(event, "reasoning " + e.textId());
            case RunEvent.ReasoningDelta e -> within(event, "reasoning " + e.textId());
            case RunEvent.ReasoningEnd e -> end(event, "reasoning " + e.textId());
            case RunEvent.ToolCallInputStart e -> begin(event, step + " input " + e.index());
            case RunEvent.ToolCallDelta e -> within(event, step + " input " + e.index());
            case RunEvent.ToolCallInputEnd e -> end(event, step + " input " + e.index());
            case RunEvent.ToolCall e -> begin(event, "call " + e.callId());
            case RunEvent.ToolResult e -> end(event, "call " + e.callId());
            case RunEvent.ToolError e -> end(event, "call " + e.callId());
            case RunEvent.DelegationStart e -> begin(event, "delegation " + e.callId());
            case RunEvent.DelegationEnd e -> end(event, "delegation " + e.callId());
            case RunEvent.ScoringStart ignored -> begin(event, step + " scoring");
            case RunEvent.ScoringComplete ignored -> end(event, step + " scoring");
            case RunEvent.DelegationRejected e -> withinCall(event, e.callId());
            case RunEvent.ToolOutputDenied e -> withinCall(event, e.callId());
            case RunEvent.DelegationBail ignored -> within(event, step);
            case RunEvent.ToolCallApproval e -> withinCall(event, e.approval().callId());
            case RunEvent.ToolCallSuspended e -> withinCall(event, e.approval().callId());
            case RunEvent.ToolCallAnswered e -> withinCall(event, e.callId());
            case RunEvent.RoutingAgentStart ignored -> {
                begin(event, step);
                begin(event, step + " as decision");
            }
            case RunEvent.RoutingAgentEnd ignored -> end(event, step + " as decision");
            case RunEvent.NetworkStepFinish ignored -> end(event, step);
            case RunEvent.NetworkFinish ignored -> within(event, run);
            case RunEvent.Error ignored -> {}
            case RunEvent.Abort ignored -> {}
            case RunEvent.StepRetry ignored -> {}
            case RunEvent.MemoryRecall ignored -> {}
            case RunEvent.MemoryProblem ignored -> {}
            case RunEvent.WorkingMemoryUpdate e -> withinCall(event, e.callId());
            case RunEvent.ThreadTitle ignored -> {}
            case RunEvent.ObservationStart e -> begin(event, step + " observation from " + e.from());
            case RunEvent.ObservationEnd e -> end(event, step + " observation from " + e.from());
            case RunEvent.ObservationFailed e -> end(event, step + " observation from " + e.from());
            case RunEvent.PartialObject ignored -> {}
            case RunEvent.ObjectResult ignored -> {}
            case RunEvent.Tripwire ignored -> {}
            case RunEvent.HookError ignored -> {}
            case RunEvent.UsageReport ignored -> {}
            case RunEvent.Data ignored -> {}
            case WorkflowEvent.WorkflowStart ignored -> begin(event, run + " as workflow");
            case WorkflowEvent.WorkflowFinish ignored -> end(event, run + " as workflow");
            case WorkflowEvent.WorkflowStepStart e -> begin(event, "call " + e.callId());
            case WorkflowEvent.WorkflowStepRetry e -> withinCall(event, e.callId());
            case WorkflowEvent.WorkflowStepResult e -> end(event, "call " + e.callId());
            case WorkflowEvent.WorkflowStepWaiting e -> begin(event, "sleep " + e.callId());
            case WorkflowEvent.WorkflowStepSuspended e -> withinCall(event, e.callId());
            case WorkflowEvent.WorkflowStepResumed e -> {
                if (open.containsKey("sleep " + e.callId())) {
                    end(event, "sleep " + e.callId());
                } else {
                    withinCall(event, e.callId());
                }
            }
            case WorkflowEvent.WorkflowStepSkipped ignored -> within(event, run + " as workflow");
            case BackgroundTaskEvent ignored -> within(event, run);
        }
    }

    private void begin(RunEvent event, String key) {
        if (open.put(key, event.type()) != null) {
            faults.add(event.type() + " of " + key + " comes twice");
        }
    }

    private void within(RunEvent event, String key) {
        if (!open.containsKey(key) && !resumed) {
            faults.add(event.type() + " of " + key + " is outside of it");
        }
    }

    /** A router's call of an agent has no events of its own; its events are within the step. */
    private void withinCall(RunEvent event, String callId) {
        boolean ofRouter = event.origin().network() && event.path().isRoot();
        within(event, ofRouter ? "run " + event.runId() + " step " + event.step() : "call " + callId);
    }

    private void end(RunEvent event, String key) {
        if (open.remove(key) == null && !resumed) {
            faults.add(event.type() + " of " + key + " has no start");
        }
    }
}
