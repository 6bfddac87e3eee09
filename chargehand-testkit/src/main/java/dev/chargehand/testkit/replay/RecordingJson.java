package dev.chargehand.testkit.replay;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of a recording, indented, with facts and messages as objects. */
final class RecordingJson {

    private static final String FORMAT = "chargehand-recording";
    private static final int VERSION = 1;

    /** Numbers stay as they were written. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private RecordingJson() {}

    /** Return a text as it stands within a JSON string. */
    static String quoted(String text) {
        String quoted = MAPPER.writeValueAsString(text);
        return quoted.substring(1, quoted.length() - 1);
    }

    static String write(Recording recording) {
        ObjectNode all = MAPPER.createObjectNode();
        all.put("format", FORMAT)
                .put("version", VERSION)
                .put("run", recording.root().value());
        ObjectNode agents = all.putObject("agents");
        new TreeMap<>(recording.agents()).forEach((path, definition) -> {
            ObjectNode agent = agents.putObject(path).put("instructions", definition.instructions());
            definition.tools().forEach(agent.putArray("tools")::add);
        });
        ArrayNode runs = all.putArray("runs");
        recording.runs().forEach(run -> write(runs.addObject(), run));
        ArrayNode threads = all.putArray("threads");
        recording.threads().forEach(thread -> write(threads.addObject(), thread));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    }

    private static void write(ObjectNode to, Recording.Run run) {
        RunRecord record = run.record();
        to.put("runId", record.runId().value());
        to.put("rootRunId", record.rootRunId().value());
        put(to, "parentRunId", record.parentRunId().orElse(null));
        put(to, "parentCallId", record.parentCallId().orElse(null));
        to.put("agentId", record.agentId());
        to.put("path", record.path());
        put(to, "threadId", record.threadId().orElse(null));
        put(to, "resourceId", record.resourceId().orElse(null));
        to.put("status", record.status().name());
        to.put("startedAt", record.startedAt().toString());
        to.put("updatedAt", record.updatedAt().toString());
        put(to, "expiresAt", record.expiresAt().orElse(null));
        ArrayNode facts = to.putArray("facts");
        for (FactEntry fact : run.facts()) {
            JsonNode text = MAPPER.readTree(fact.text());
            if (fact.type().equals("resumed") && text instanceof ObjectNode resumed) {
                resumed.put("owner", ""); // names a machine and a process
            }
            facts.addObject()
                    .put("type", fact.type())
                    .put("version", fact.version())
                    .set("fact", text);
        }
    }

    private static void write(ObjectNode to, ThreadAppend thread) {
        to.put("threadId", thread.threadId());
        put(to, "resourceId", thread.owner().resourceId());
        put(to, "agentPath", thread.owner().agentPath());
        put(to, "parentRunId", thread.parentRunId());
        put(to, "parentCallId", thread.parentCallId());
        ArrayNode messages = to.putArray("messages");
        thread.entries().forEach(entry -> messages.add(MAPPER.readTree(entry.text())));
    }

    private static void put(ObjectNode to, String name, @Nullable Object value) {
        if (value != null) {
            to.put(name, value.toString());
        }
    }

    /**
     * Read a recording.
     *
     * @param name how an error names it
     * @throws ConfigurationException if the text is none
     */
    static Recording read(String text, String name) {
        JsonNode all = parsed(text, name);
        if (!FORMAT.equals(all.path("format").stringValue(""))
                || all.path("version").intValue(0) != VERSION) {
            throw new ConfigurationException(name + " is no recording of version " + VERSION
                    + "; record the run again with the test kit that is to replay it.");
        }
        Map<String, Recording.Definition> agents = new LinkedHashMap<>();
        all.path("agents").properties().forEach(agent -> agents.put(agent.getKey(), definition(agent.getValue())));
        List<Recording.Run> runs = new ArrayList<>();
        all.path("runs").forEach(run -> runs.add(run(run)));
        List<ThreadAppend> threads = new ArrayList<>();
        all.path("threads").forEach(thread -> threads.add(thread(thread)));
        return new Recording(new RunId(string(all, "run")), runs, threads, agents);
    }

    private static JsonNode parsed(String text, String name) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new ConfigurationException(name + " is not JSON at line "
                    + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr()
                    + "; record the run again.");
        }
    }

    private static Recording.Definition definition(JsonNode agent) {
        List<String> tools = new ArrayList<>();
        agent.path("tools").forEach(tool -> tools.add(tool.stringValue()));
        return new Recording.Definition(string(agent, "instructions"), tools);
    }

    private static Recording.Run run(JsonNode run) {
        List<FactEntry> facts = new ArrayList<>();
        for (JsonNode fact : run.path("facts")) {
            facts.add(FactEntry.of(
                    string(fact, "type"),
                    fact.path("version").intValue(),
                    MAPPER.writeValueAsString(fact.get("fact"))));
        }
        String parent = optional(run, "parentRunId");
        RunRecord starting = RunRecord.builder(
                        new RunId(string(run, "runId")),
                        string(run, "agentId"),
                        "",
                        Instant.parse(string(run, "startedAt")))
                .rootRunId(new RunId(string(run, "rootRunId")))
                .parentRunId(parent == null ? null : new RunId(parent))
                .parentCallId(optional(run, "parentCallId"))
                .path(string(run, "path"))
                .threadId(optional(run, "threadId"))
                .resourceId(optional(run, "resourceId"))
                .build();
        String expiresAt = optional(run, "expiresAt");
        RunRecord record = starting.advanced(
                RunStatus.valueOf(string(run, "status")),
                facts.size(),
                Instant.parse(string(run, "updatedAt")),
                expiresAt == null ? null : Instant.parse(expiresAt));
        return new Recording.Run(record, facts);
    }

    private static ThreadAppend thread(JsonNode thread) {
        List<ThreadEntry> entries = new ArrayList<>();
        for (JsonNode message : thread.path("messages")) {
            entries.add(new ThreadEntry(string(message, "id"), MAPPER.writeValueAsString(message)));
        }
        return new ThreadAppend(
                string(thread, "threadId"),
                new ThreadOwner(optional(thread, "resourceId"), optional(thread, "agentPath")),
                optional(thread, "parentRunId"),
                optional(thread, "parentCallId"),
                entries);
    }

    private static String string(JsonNode node, String name) {
        String value = optional(node, name);
        if (value == null) {
            throw new ConfigurationException("The recording is damaged: it lacks '" + name + "'.");
        }
        return value;
    }

    private static @Nullable String optional(JsonNode node, String name) {
        return node.path(name).isString() ? node.path(name).stringValue() : null;
    }
}
