package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls that have started nested runs: delegations, calls of workflows, and steps of these. No event says which call has started a
 * workflow; it is the one call that fits, by its name or else by its arguments. Used by one thread.
 */
public final class RootCalls {

    private static final String WORKFLOW = "workflow-";

    /**
     * A call that has started a run.
     *
     * @param run the run that makes it
     * @param step the path of the step that it is, in a workflow; null for a call of an agent
     */
    public record Caller(RunId run, String callId, @Nullable String step) {}

    private final RunId root;
    private final Map<RunId, Caller> callers = new HashMap<>();
    private final Map<RunId, RunId> parents = new HashMap<>();
    private final Map<String, RunEvent.ToolCall> open = new LinkedHashMap<>();
    private final Set<RunId> workflows = new HashSet<>();

    /** Make it for the tree of a root run. */
    public RootCalls(RunId root) {
        this.root = root;
    }

    /** Note which run an event starts. */
    public void note(RunEvent event) {
        switch (event) {
            case RunEvent.DelegationStart start ->
                callers.putIfAbsent( // a step is known as such
                        start.call().childRunId(),
                        new Caller(start.runId(), start.call().callId(), null));
            case WorkflowEvent.WorkflowStepStart start -> {
                if (start.nestedRunId() != null) {
                    callers.put(start.nestedRunId(), new Caller(start.runId(), start.callId(), start.stepPath()));
                }
            }
            case RunEvent.ToolCall call -> {
                if (call.toolName().startsWith(WORKFLOW)) {
                    open.put(call.callId(), call);
                }
            }
            case RunEvent.RunStart start -> {
                if (start.parentRunId() != null) {
                    parents.put(start.runId(), start.parentRunId());
                }
            }
            case WorkflowEvent.WorkflowStart start -> start(start);
            case RunEvent.ToolResult result -> open.remove(result.callId());
            case RunEvent.ToolError error -> open.remove(error.callId());
            default -> {}
        }
    }

    private void start(WorkflowEvent.WorkflowStart start) {
        RunId parent = parents.get(start.runId());
        if (parent == null) {
            return;
        }
        if (!callers.containsKey(start.runId())) {
            List<RunEvent.ToolCall> fitting = open.values().stream()
                    .filter(call -> call.runId().equals(parent))
                    .filter(call -> call.toolName().equals(WORKFLOW + start.workflowId()))
                    .toList();
            if (fitting.size() > 1) {
                Json input = start.input().canonical();
                fitting = fitting.stream()
                        .filter(call -> EventFields.arguments(call.arguments())
                                .canonical()
                                .equals(input))
                        .toList();
            }
            if (fitting.size() != 1) {
                return; // several do the same, and which one it is cannot be seen
            }
            String callId = fitting.getFirst().callId();
            open.remove(callId);
            callers.put(start.runId(), new Caller(parent, callId, null));
        }
        workflows.add(start.runId());
    }

    /** Return the call of the root run; empty for the root run, and for a run whose start was not seen. */
    public Optional<String> of(RunId run) {
        List<Caller> chain = chain(run);
        return chain.isEmpty() || !chain.getFirst().run().equals(root)
                ? Optional.empty()
                : Optional.of(chain.getFirst().callId());
    }

    /** Return the calls that lead to a run, that of the root run first. */
    public List<Caller> chain(RunId run) {
        List<Caller> chain = new ArrayList<>();
        for (Caller caller = callers.get(run); caller != null; caller = callers.get(caller.run())) {
            chain.addFirst(caller); // few levels
        }
        return chain;
    }

    /** Return whether a run is that of a workflow that an agent has called, or below one. */
    public boolean isOfWorkflow(RunId run) {
        return workflows.contains(run) || chain(run).stream().anyMatch(caller -> workflows.contains(caller.run()));
    }
}
