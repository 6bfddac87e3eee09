package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.Agent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes that report how an agent remembers, and what it has observed of a thread. */
public final class SettingsRoutes {

    private static final List<String> OF_STATUS =
            List.of("originType", "lastObservedAt", "observationTokenCount", "isObserving", "isReflecting");

    private final WireRuns runs;
    private final CallerThreads threads;

    /** Make it. */
    public SettingsRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
    }

    /** Return the routes. */
    public List<Route> routes() {
        return List.of(
                MemoryRoutes.read("/api/memory/status", "Return whether there is memory", this::status),
                MemoryRoutes.read("/api/memory/config", "Return the settings of memory", this::config),
                MemoryRoutes.read(
                        "/api/memory/observational-memory",
                        "Return what was observed of a thread",
                        call -> observed(
                                call,
                                agent(call, call.query("agentId")),
                                call.query("threadId"),
                                call.query("resourceId"))),
                new Route(
                        "POST",
                        "/api/memory/observational-memory/buffer-status",
                        Route.Access.of(dev.chargehand.server.Scope.THREADS_READ),
                        "Return what was observed of a thread; nothing is being buffered, for Mastra's client",
                        call -> {
                            Body body = Body.of(call.body());
                            return observed(
                                    call, agent(call, body.id("agentId")), body.id("threadId"), body.id("resourceId"));
                        }));
    }

    private Agent agent(Call call, Optional<String> id) {
        return runs.agent(
                call.principal(), id.orElseThrow(() -> Problem.BAD_REQUEST.of("The value 'agentId' is missing.")));
    }

    private Optional<Memory> memory(Call call) {
        return call.query("agentId").map(id -> runs.agent(call.principal(), id).memory());
    }

    private Reply status(Call call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("result", true);
        fields.put("memoryType", "local");
        call.query("agentId")
                .ifPresent(id -> fields.put("observationalMemory", observed(call, agent(call, Optional.of(id)))));
        return Reply.ok(fields);
    }

    /** Return whether an agent observes, and what it has observed of the thread that the query names. */
    private Map<String, Object> observed(Call call, Agent agent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        boolean enabled = agent.memory().observations().isPresent();
        fields.put("enabled", enabled);
        if (enabled && call.query("threadId").isPresent()) {
            Optional<Map<String, Object>> record =
                    record(call, agent, call.query("threadId"), CallerThreads.resource(call));
            fields.put("hasRecord", record.isPresent());
            record.ifPresent(known -> OF_STATUS.forEach(name -> fields.put(name, known.get(name))));
        }
        return fields;
    }

    private Reply config(Call call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("memoryType", "local");
        fields.put("config", memory(call).map(SettingsRoutes::settings).orElse(Map.of()));
        return Reply.ok(fields);
    }

    private static Map<String, Object> settings(Memory memory) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("lastMessages", memory.lastMessages());
        fields.put(
                "semanticRecall",
                memory.semanticRecall().<Object>map(SettingsRoutes::recall).orElse(false));
        memory.workingMemory().ifPresent(working -> fields.put("workingMemory", working(working)));
        fields.put("generateTitle", memory.title().isPresent());
        memory.observations().ifPresent(observes -> fields.put("observationalMemory", observational(observes)));
        return fields;
    }

    private static Map<String, Object> recall(SemanticRecall recall) {
        return Map.of(
                "topK", recall.topK(),
                "messageRange", Map.of("before", recall.messagesBefore(), "after", recall.messagesAfter()),
                "scope", word(recall.scope()),
                "threshold", recall.threshold());
    }

    private static Map<String, Object> working(WorkingMemory working) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("enabled", true);
        fields.put("scope", word(working.scope()));
        working.markdown().ifPresent(text -> fields.put("template", text));
        working.schema().ifPresent(schema -> fields.put("schema", schema.json()));
        return fields;
    }

    private static Map<String, Object> observational(Observations observes) {
        return Map.of(
                "enabled", true,
                "scope", word(observes.scope()),
                "messageTokens", observes.messageTokens(),
                "observationTokens", observes.observationTokens());
    }

    private static String word(Scope scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }

    private Reply observed(Call call, Agent agent, Optional<String> threadId, Optional<String> resourceId) {
        Optional<Map<String, Object>> record =
                record(call, agent, threadId, Owners.resource(call.principal(), resourceId.orElse(null)));
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("record", record.orElse(null));
        fields.put("history", List.of());
        return Reply.ok(fields);
    }

    private Optional<Map<String, Object>> record(
            Call call, Agent agent, Optional<String> threadId, Optional<String> resource) {
        return threadId.flatMap(id -> threads.find(call, resource, id)).flatMap(thread -> record(call, agent, thread));
    }

    /** Return what was observed of a thread as one record; empty if nothing was. */
    private Optional<Map<String, Object>> record(Call call, Agent agent, ThreadRecord thread) {
        ObservationLog log = runs.runtime(call.principal()).memory().observations(thread.owner(), thread.threadId());
        if (log.observations().isEmpty()) {
            return Optional.empty();
        }
        List<Observation> all = log.observations();
        Instant last =
                all.stream().map(Observation::at).max(Comparator.naturalOrder()).orElseThrow();
        boolean reflected = all.stream().anyMatch(each -> each.replaces() != null);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", "om_" + thread.threadId() + "_" + log.newest());
        fields.put(
                "scope",
                agent.memory().observations().map(it -> word(it.scope())).orElse("thread"));
        fields.put(
                "resourceId", Optional.ofNullable(thread.owner().resourceId()).orElse(""));
        fields.put("threadId", threads.idOf(call, threads.note(call, thread)));
        fields.put(
                "activeObservations",
                String.join("\n\n", all.stream().map(Observation::text).toList()));
        fields.put("originType", reflected ? "reflection" : "observation");
        fields.put("generationCount", log.newest());
        fields.put("lastObservedAt", last.toString());
        fields.put("totalTokensObserved", 0); // those of messages are not kept
        fields.put("observationTokenCount", log.tokens());
        fields.put("pendingMessageTokens", 0);
        fields.put("isObserving", false);
        fields.put("isReflecting", false);
        fields.put(
                "config",
                agent.memory().observations().map(SettingsRoutes::observational).orElse(Map.of()));
        fields.put("createdAt", all.getFirst().at().toString());
        fields.put("updatedAt", last.toString());
        return Optional.of(fields);
    }
}
