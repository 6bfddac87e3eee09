package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.EventFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of chunks of a network: the fields of its events, and those that Mastra's client declares for them. It notes what other
 * events have said before. Used by one thread.
 */
final class NetworkPayloads {

    private static final String WORKFLOW = "workflow-";

    private final String task;
    private RunEvent.@Nullable RoutingAgentEnd decision;
    private @Nullable Json object;
    private Usage used = Usage.NONE;
    private @Nullable Usage usedBelow;
    private int mostSteps;
    private boolean executing;

    /**
     * Make it.
     *
     * @param task what the network is to do; empty if that is not known
     */
    NetworkPayloads(String task) {
        this.task = task;
    }

    /** Note an event of the router's run. */
    void note(RunEvent event) {
        switch (event) {
            case RunEvent.RoutingAgentStart start -> {
                mostSteps = start.maxSteps();
                executing = false;
            }
            case RunEvent.RoutingAgentEnd end -> {
                decision = end;
                usedBelow = null;
                executing = true;
            }
            case RunEvent.NetworkStepFinish finish ->
                executing &= finish.decision().stopReason() instanceof StopReason.Cancelled; // it was cut short
            case RunEvent.ObjectResult result -> object = result.object();
            case RunEvent.UsageReport report -> used = report.usage();
            default -> {}
        }
    }

    /** Note the end of a run that the router has started. */
    void noteBelow(RunEvent.RunFinish finish) {
        usedBelow = finish.totalUsage();
    }

    /** Return the payload of an event of the router's run. */
    Map<String, Object> of(RunEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>(EventFields.of(event));
        fields.put("runId", event.runId().value());
        int iteration = Math.max(0, event.origin().step() - 1);
        fields.put("iteration", iteration);
        fields.putIfAbsent("task", task);
        switch (event) {
            case RunEvent.RoutingAgentStart ignored -> {
                String agent = event.origin().path().toString();
                fields.put("agentId", agent);
                fields.put("networkId", agent);
                fields.put(
                        "inputData",
                        Map.of(
                                "task",
                                task,
                                "primitiveId",
                                "",
                                "primitiveType",
                                "",
                                "iteration",
                                iteration,
                                "isOneOff",
                                false,
                                "verboseIntrospection",
                                false));
            }
            case RunEvent.RoutingAgentEnd ignored -> {
                fields.putAll(chosen(iteration));
                fields.put("usage", Chunks.usage(used));
            }
            case RunEvent.DelegationStart start -> {
                fields.put("runId", start.call().childRunId().value());
                fields.put("args", chosen(iteration));
            }
            case RunEvent.DelegationEnd end -> {
                fields.put("runId", end.call().childRunId().value());
                fields.put("result", end.text());
                fields.put("isComplete", false); // the end of the step says it
                fields.put("usage", Chunks.usage(end.usage()));
            }
            case RunEvent.ToolCall call -> {
                if (ofWorkflow(fields, call.toolName())) {
                    fields.put("args", chosen(iteration));
                } else {
                    Map<String, Object> args = Chunks.payload(call);
                    args.put("selectionReason", reason());
                    fields.put("args", args);
                }
            }
            case RunEvent.ToolResult result -> ended(fields, result.callId(), result.toolName(), result.output());
            case RunEvent.ToolError error -> ended(fields, error.callId(), error.toolName(), error.message());
            case RunEvent.ScoringStart start ->
                fields.put("checksCount", start.scorers().size());
            case RunEvent.ScoringComplete end -> {
                fields.putAll(Chunks.scored(end, mostSteps));
                fields.put("iteration", iteration);
            }
            case RunEvent.NetworkStepFinish finish -> {
                fields.put("result", finish.text());
                fields.put("isComplete", finish.decision().stopReason() != null);
                fields.put("usage", Chunks.usage(finish.usage()));
            }
            case RunEvent.NetworkFinish finish -> {
                fields.putAll(chosen(iteration));
                fields.put("result", finish.text());
                fields.put("completionReason", finish.stopReason().code());
                fields.put("isOneOff", false);
                fields.put("usage", Chunks.usage(finish.totalUsage()));
                if (object != null) {
                    fields.put("object", object);
                }
            }
            default -> {}
        }
        return fields;
    }

    /**
     * Return what the client declares for the end of a network that was cancelled: what it was doing.
     *
     * @param router the id that stands for the router
     */
    Map<String, Object> aborted(String router) {
        return isExecuting()
                ? Map.of("primitiveType", type(), "primitiveId", id())
                : Map.of("primitiveType", "routing", "primitiveId", router);
    }

    /** Return whether something that the router has chosen is executed, and the router does not decide. */
    private boolean isExecuting() {
        return executing && List.of("agent", "workflow", "tool").contains(type());
    }

    /** Return what the name of the chunk for a network that was cancelled starts with. */
    String abortedKind() {
        return isExecuting() ? type() + "-execution" : "routing-agent";
    }

    /** Return the payload of a call that waits. */
    Map<String, Object> waiting(PendingApproval pending) {
        Map<String, Object> payload = Chunks.waiting(pending, pending.callId());
        payload.put("runId", pending.runId().value());
        payload.put("agentId", pending.path().leaf());
        ofWorkflow(payload, pending.toolName());
        payload.put("selectionReason", reason());
        payload.put("usage", Chunks.usage(used));
        return payload;
    }

    /** Return the payload of a step of a chosen workflow that waits. */
    Map<String, Object> waitingStep(PendingApproval pending) {
        Map<String, Object> payload = waiting(pending);
        payload.put("name", id());
        payload.put("workflowId", id());
        return payload;
    }

    private void ended(Map<String, Object> fields, String callId, String toolName, Object result) {
        boolean executed = ofWorkflow(fields, toolName);
        fields.putAll(Chunks.ofCall(callId, toolName));
        fields.put(
                "result",
                executed && result instanceof Json json ? json.string().orElse(json.text()) : result);
        if (executed && usedBelow != null) {
            fields.put("usage", Chunks.usage(usedBelow));
        }
        fields.put("isComplete", false); // the end of the step says it
        fields.put("primitiveId", id());
        fields.put("primitiveType", type());
    }

    /** Add the name of the workflow that a call executes, and return whether it does. */
    private static boolean ofWorkflow(Map<String, Object> fields, String toolName) {
        boolean executes = toolName.startsWith(WORKFLOW);
        if (executes) {
            String id = toolName.substring(WORKFLOW.length());
            fields.put("name", id);
            fields.put("workflowId", id);
        }
        return executes;
    }

    private Map<String, Object> chosen(int iteration) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", task);
        fields.put("primitiveId", id());
        fields.put("primitiveType", type());
        fields.put("prompt", decision == null || decision.prompt() == null ? "" : decision.prompt());
        fields.put("result", "");
        fields.put("selectionReason", reason());
        fields.put("iteration", iteration);
        return fields;
    }

    private String reason() {
        return decision == null || decision.selectionReason() == null ? "" : decision.selectionReason();
    }

    private String id() {
        return decision == null || decision.primitiveId() == null ? "" : decision.primitiveId();
    }

    private String type() {
        return decision == null || decision.primitiveType() == null
                ? ""
                : decision.primitiveType().name().toLowerCase(Locale.ROOT);
    }
}
