package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the API says of agents, runs, waiting calls and threads. A field without a value is absent. */
public final class Views {

    private Views() {}

    public static Map<String, Object> agent(Agent agent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", agent.id());
        fields.put("name", agent.name());
        fields.put("description", agent.description());
        put(fields, "version", agent.version());
        return fields;
    }

    /** Return the name of the first model of an agent that is not dynamic. */
    public static String model(Agent agent) {
        return switch (agent.modelFor(RequestContext.empty()).candidates().getFirst()) {
            case ModelChoice.Candidate.Named named -> named.name();
            case ModelChoice.Candidate.Given given -> given.model().name();
        };
    }

    public static Map<String, Object> run(RunRecord run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.runId().value());
        fields.put("status", status(run.status()));
        fields.put("agent", run.agentId());
        fields.put("path", run.path());
        if (!run.isRoot()) {
            fields.put("rootRunId", run.rootRunId().value());
        }
        put(fields, "parentRunId", run.parentRunId().map(Object::toString));
        put(fields, "parentCallId", run.parentCallId());
        put(fields, "thread", run.threadId());
        put(fields, "resource", run.resourceId());
        fields.put("startedAt", run.startedAt().toString());
        fields.put("updatedAt", run.updatedAt().toString());
        put(fields, "waitsUntil", run.expiresAt().map(Object::toString));
        run.summary().ifPresent(summary -> put(fields, summary));
        return fields;
    }

    private static void put(Map<String, Object> fields, RunSummary summary) {
        fields.put("kind", summary.kind());
        fields.put("firstWords", summary.firstWords());
        fields.put("step", summary.step());
        fields.put("usage", usage(summary.usage()));
        fields.put("cost", summary.cost());
        put(fields, "stopReason", summary.stopCode());
        if (summary.stopCode().equals(Optional.of("cancelled"))) {
            put(fields, "cancelled", summary.stop().map(Views::cancel));
        }
    }

    /** Return the details of the stop reason of a cancelled run, as events have it. */
    private static Map<String, Object> cancel(Json reason) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String detail : List.of("by", "reason")) {
            put(fields, detail, reason.at("/" + detail).flatMap(Json::string));
        }
        return fields;
    }

    public static Map<String, Object> result(RunResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", result.runId().value());
        fields.put("status", status(result.status()));
        fields.put("stopReason", result.stopReason().code());
        if (result.stopReason() instanceof StopReason.Failed failed) {
            Map<String, Object> error = new LinkedHashMap<>(); // its message may repeat the words of a provider
            error.put("code", failed.error());
            error.put("retryable", failed.retryable());
            fields.put("error", error);
        } else if (result.stopReason() instanceof StopReason.Cancelled cancelled) {
            Map<String, Object> cancel = new LinkedHashMap<>();
            cancel.put("by", cancelled.by());
            put(cancel, "reason", Optional.ofNullable(cancelled.reason()));
            fields.put("cancelled", cancel);
        }
        fields.put("text", result.text());
        put(fields, "object", result.structured().flatMap(Views::object));
        fields.put("usage", usage(result.totalUsage()));
        Map<String, Object> byAgent = new LinkedHashMap<>();
        result.usageByAgent().forEach((agent, usage) -> byAgent.put(agent, usage(usage)));
        fields.put("usageByAgent", byAgent);
        fields.put("cost", result.cost());
        put(fields, "thread", result.threadId());
        if (!result.pendingApprovals().isEmpty()) {
            fields.put("pending", approvals(result.pendingApprovals()));
        }
        return fields;
    }

    private static Optional<Json> object(ObjectResult result) {
        return Optional.ofNullable(result.object());
    }

    public static List<Map<String, Object>> approvals(List<PendingApproval> calls) {
        return calls.stream().map(Views::approval).toList();
    }

    public static Map<String, Object> approval(PendingApproval call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", WaitingId.of(call).toString());
        fields.putAll(call.toJson().fields());
        return fields;
    }

    public static Map<String, Object> thread(ThreadRecord thread) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", thread.threadId());
        put(fields, "resource", Optional.ofNullable(thread.owner().resourceId()));
        put(fields, "title", thread.title());
        fields.put("metadata", ReservedNames.without(thread.metadata()));
        fields.put("messages", thread.length());
        put(
                fields,
                "copyOf",
                thread.source()
                        .filter(from -> from.owner().equals(thread.owner()))
                        .map(ThreadRecord.Source::threadId));
        thread.copiedLength().ifPresent(length -> fields.put("copiedMessages", length));
        fields.put("createdAt", thread.createdAt().toString());
        fields.put("updatedAt", thread.updatedAt().toString());
        return fields;
    }

    public static List<Map<String, Object>> messages(List<ThreadMessage> messages) {
        List<Map<String, Object>> views = new ArrayList<>();
        for (ThreadMessage each : messages) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("position", each.position());
            fields.put("role", each.role().name().toLowerCase(Locale.ROOT));
            fields.put("text", each.text());
            put(fields, "runId", each.runId().map(Object::toString));
            put(fields, "at", each.at().map(Object::toString));
            fields.put("message", each.message().toJson());
            views.add(fields);
        }
        return views;
    }

    public static Map<String, Object> usage(Usage usage) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("inputTokens", usage.inputTokens());
        fields.put("outputTokens", usage.outputTokens());
        fields.put("cachedInputTokens", usage.cachedInputTokens());
        fields.put("reasoningTokens", usage.reasoningTokens());
        fields.put("totalTokens", usage.totalTokens());
        return fields;
    }

    public static String status(Enum<?> status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static void put(Map<String, Object> fields, String name, Optional<?> value) {
        value.ifPresent(each -> fields.put(name, each));
    }
}
