package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nested runs that are open: to the client all of them are sub-agents, also workflows and the agents of their steps. Each event that names
 * one comes between its start and its end. Used by one thread.
 */
final class SubAgents {

    /**
     * A nested run.
     *
     * @param start the event that starts it
     * @param delegated whether its end is that of a delegation, and not that of its run
     */
    private record SubAgent(Map<String, Object> start, boolean delegated) {}

    private final RunId root;
    private final Map<RunId, SubAgent> open = new LinkedHashMap<>();

    SubAgents(RunId root) {
        this.root = root;
    }

    /** Start the run of a delegation. */
    Map<String, Object> start(RunEvent.DelegationStart delegation) {
        RunId child = delegation.call().childRunId();
        Map<String, Object> fields = started(child, delegation.call().agentName(), delegation.runId());
        fields.put("parentToolCallId", delegation.call().callId());
        open.put(child, new SubAgent(fields, true));
        return fields;
    }

    /** Start a nested run; empty if it is that of a delegation, which has started it. */
    Optional<Map<String, Object>> start(RunEvent.RunStart start) {
        RunId parent = start.parentRunId();
        if (parent == null || open.containsKey(start.runId())) {
            return Optional.empty();
        }
        Map<String, Object> fields = started(start.runId(), start.agentName(), parent);
        open.put(start.runId(), new SubAgent(fields, false));
        return Optional.of(fields);
    }

    private Map<String, Object> started(RunId child, String name, RunId parent) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("type", "SUBAGENT_STARTED");
        fields.put("subagentRunId", child.value());
        fields.put("name", name);
        if (!parent.equals(root)) {
            fields.put("parentSubagentRunId", parent.value());
        }
        return fields;
    }

    /** Return the events that start again what is open, outer runs first. */
    List<Map<String, Object>> starts() {
        return open.values().stream().map(SubAgent::start).toList();
    }

    /** Return the runs that are open, inner ones first. */
    List<RunId> innerFirst() {
        return List.copyOf(open.keySet()).reversed();
    }

    /** End the run of a delegation; empty if it was not started. */
    Optional<Map<String, Object>> end(RunEvent.DelegationEnd delegation) {
        RunId child = delegation.call().childRunId();
        return open.remove(child) == null
                ? Optional.empty()
                : Optional.of(ended(child, delegation.stopReason(), delegation.text()));
    }

    /** End a nested run; empty if the end of its delegation follows. */
    Optional<Map<String, Object>> end(RunEvent.RunFinish finish) {
        SubAgent ending = open.get(finish.runId());
        if (ending == null || ending.delegated()) {
            return Optional.empty();
        }
        open.remove(finish.runId());
        return Optional.of(ended(finish.runId(), finish.stopReason(), finish.text()));
    }

    private static Map<String, Object> ended(RunId child, StopReason reason, String text) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("subagentRunId", child.value());
        if (reason instanceof StopReason.Failed || reason instanceof StopReason.Cancelled) {
            fields.put("type", "SUBAGENT_ERROR");
            fields.put("message", "The sub-agent has ended with '" + reason.code() + "'.");
            fields.put("code", reason.code());
        } else {
            fields.put("type", "SUBAGENT_FINISHED");
            fields.put("result", Map.of("text", text));
        }
        return fields;
    }
}
