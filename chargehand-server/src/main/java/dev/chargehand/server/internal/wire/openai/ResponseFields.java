package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fields of a response that repeat its request, and what a run keeps of them for when it is read again. */
final class ResponseFields {

    /** The names of a run's metadata that have the response before it, its conversation, its model and whether it is one in the background. */
    private static final String PREVIOUS = ReservedNames.START + "previousResponse";

    private static final String CONVERSATION = ReservedNames.START + "conversation";
    private static final String MODEL = ReservedNames.START + "model";
    private static final String BACKGROUND = ReservedNames.START + "background";

    private ResponseFields() {}

    /** Return all fields, without what a request or a run sets. */
    static Map<String, @Nullable Object> unset() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", null);
        fields.put("object", "response");
        fields.put("access_programs", null);
        fields.put("instructions", null);
        fields.put("max_output_tokens", null);
        fields.put("metadata", Map.of());
        fields.put("parallel_tool_calls", true);
        fields.put("previous_response_id", null);
        fields.put("store", true);
        fields.put("temperature", null);
        fields.put("text", Map.of("format", Map.of("type", "text")));
        fields.put("tool_choice", "auto");
        fields.put("tools", List.of());
        fields.put("top_p", null);
        fields.put("truncation", "disabled");
        return fields;
    }

    /** Return what a response repeats of its request: that which had an effect. */
    static Map<String, ?> of(Body body, Optional<String> conversation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String name : List.of("instructions", "max_output_tokens", "metadata", "tool_choice")) {
            body.json(name).ifPresent(value -> fields.put(name, value));
        }
        body.id("previous_response_id").ifPresent(id -> fields.put("previous_response_id", id));
        body.object("text")
                .flatMap(text -> text.json("format"))
                .ifPresent(it -> fields.put("text", Map.of("format", it)));
        conversation.ifPresent(id -> fields.put("conversation", Map.of("id", id)));
        List<Map<String, Json>> tools = new ArrayList<>();
        for (Json tool : body.list("tools")) {
            Map<String, Json> values = new LinkedHashMap<>(tool.fields());
            values.putIfAbsent("parameters", Json.of(null)); // clients require both
            values.putIfAbsent("strict", Json.of(false));
            tools.add(values);
        }
        fields.put("tools", tools);
        return fields;
    }

    /** Return what a run keeps. */
    static Map<String, String> kept(Body body, Optional<RunRecord> previous, Optional<String> conversation) {
        Map<String, String> kept = new LinkedHashMap<>();
        kept.put(MODEL, body.requiredId("model"));
        previous.ifPresent(run -> kept.put(PREVIOUS, ResponseEncoder.PREFIX + run.runId()));
        conversation.ifPresent(id -> kept.put(CONVERSATION, id));
        if (body.flag("background")) {
            kept.put(BACKGROUND, "true");
        }
        return kept;
    }

    /** Return whether a run continues the response of another one, by what it keeps. */
    static boolean continues(Map<String, String> kept, RunId previous) {
        return (ResponseEncoder.PREFIX + previous).equals(kept.get(PREVIOUS));
    }

    /** Return what a response that is read again repeats. */
    static Map<String, ?> of(Map<String, String> metadata) {
        Map<String, String> own = new TreeMap<>(metadata);
        own.keySet().removeIf(name -> name.startsWith(ReservedNames.START));
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("metadata", own));
        Optional.ofNullable(metadata.get(PREVIOUS)).ifPresent(id -> fields.put("previous_response_id", id));
        Optional.ofNullable(metadata.get(CONVERSATION)).ifPresent(id -> fields.put("conversation", Map.of("id", id)));
        fields.put("background", metadata.containsKey(BACKGROUND));
        Optional.ofNullable(metadata.get(MODEL)).ifPresent(model -> fields.put("model", model));
        return fields;
    }

    /**
     * Return why a response has no result. The codes of a response that failed are a closed set for clients, so one of them stands for our
     * code of a failure, which is its {@code reason}. A run that waits, is cancelled or continues elsewhere is no failure and keeps its code.
     */
    static Map<String, @Nullable Object> error(ProblemException problem) {
        Map<String, @Nullable Object> fields = ErrorBody.of(problem);
        fields.remove("type");
        fields.remove("param");
        String code = String.valueOf(fields.get("code"));
        if (problem.problem() == Problem.RUN_FAILED && !code.equals("cancelled")) {
            fields.put("code", code.equals("model-rate-limit") ? "rate_limit_exceeded" : "server_error");
            fields.put("reason", code);
        }
        return fields;
    }

    /** Return fields with one more. */
    static Map<String, Object> with(Map<String, Object> fields, String name, String value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return more;
    }

    /** Return the part of a message that has its text. */
    static Map<String, ?> part(String all) {
        return Map.of("type", "output_text", "text", all, "annotations", List.of(), "logprobs", List.of());
    }
}
