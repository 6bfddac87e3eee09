package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A field that a wire knows, with a value of another type, is not taken for one that is missing. */
class WrongFieldsOfWiresTest extends ServerFixture {

    private static final Map<String, Object> MESSAGE =
            Map.of("id", "1", "role", "user", "content", "x", "parts", List.of(Map.of("type", "text", "text", "x")));

    private static final List<Object> NO_OBJECTS = List.of("object", 0, true, List.of(), List.of(Map.of()));

    @Override
    List<Agent> agents() {
        Agent helper = Agent.builder("helper")
                .model(script.modelFor("helper"))
                .acceptClientTools()
                .build();
        return List.of(helper);
    }

    private static Map<String, Object> with(Map<String, Object> body, String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(name, value);
        return more;
    }

    @ParameterizedTest
    @EnumSource
    void aParameterWithoutEffectHasItsType(HttpBinding binding) {
        script.on("helper").says("Done.").forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                .limit(ServerLimit.START_BURST, 1_000)
                .limit(ServerLimit.REQUEST_BURST, 1_000));
        Map<String, Map<String, Object>> bodies = Map.of(
                "/v1/chat/completions", Map.of("model", "helper", "messages", List.of(MESSAGE)),
                "/v1/responses", Map.of("model", "helper", "input", "x"));
        Map<String, List<Object>> wrong = new LinkedHashMap<>();
        for (String name : List.of("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")) {
            wrong.put(name, List.of("hot", "1", true, List.of(1), Map.of()));
        }
        for (String name : List.of("user", "service_tier", "prompt_cache_key", "safety_identifier", "truncation")) {
            wrong.put(name, List.of(1, false, List.of("a"), Map.of()));
        }
        wrong.put("reasoning_effort", List.of(1, List.of()));
        wrong.put("verbosity", List.of(1, Map.of()));
        wrong.put("logit_bias", NO_OBJECTS);
        wrong.put("reasoning", NO_OBJECTS);
        wrong.put("parallel_tool_calls", List.of("yes", 1, List.of()));
        wrong.put("stop", List.of(1, true, Map.of(), List.of(1), List.of("a", List.of())));
        bodies.forEach((path, body) -> {
            wrong.forEach((name, values) -> values.forEach(value -> {
                HttpResponse<String> answer = post(server, path, with(body, name, value));
                assertThat(answer.statusCode())
                        .as("%s %s=%s", path, name, value)
                        .isEqualTo(400);
                assertThat(at(answer, "/error/param")).isEqualTo(name);
            }));
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        });
        Map<String, Object> both = with(bodies.get("/v1/chat/completions"), "max_completion_tokens", 5);
        assertThat(at(post(server, "/v1/chat/completions", with(both, "max_tokens", "x")), "/error/param"))
                .isEqualTo("max_tokens");
        Map<String, Object> right = new LinkedHashMap<>(Map.of(
                "temperature",
                0.5,
                "top_p",
                1,
                "presence_penalty",
                -2,
                "seed",
                -9_007_199_254_740_991L,
                "user",
                "",
                "logit_bias",
                Map.of("5", -100),
                "reasoning",
                Map.of("effort", "low"),
                "parallel_tool_calls",
                false,
                "reasoning_effort",
                "low"));
        for (Object stop : List.of("a", List.of(), List.of("a", "b"))) {
            right.put("stop", stop);
            bodies.forEach((path, body) -> {
                Map<String, Object> more = new LinkedHashMap<>(body);
                more.putAll(right);
                HttpResponse<String> answer = post(server, path, more);
                assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aParameterWithoutEffectHasTheTypeOfItsFields(HttpBinding binding) {
        script.on("helper").says("Done.").forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                .limit(ServerLimit.START_BURST, 1_000)
                .limit(ServerLimit.REQUEST_BURST, 1_000));
        Map<String, Map<String, Object>> bodies = Map.of(
                "/v1/chat/completions", Map.of("model", "helper", "messages", List.of(MESSAGE)),
                "/v1/responses", Map.of("model", "helper", "input", "x"));
        Map<String, Map<String, Object>> wrong = new LinkedHashMap<>();
        wrong.put("reasoning.effort", Map.of("reasoning", Map.of("effort", 5)));
        wrong.put("reasoning.summary", Map.of("reasoning", Map.of("summary", List.of())));
        wrong.put("text.verbosity", Map.of("text", Map.of("verbosity", 5)));
        wrong.put("stream_options", Map.of("stream", true, "stream_options", 5));
        wrong.put("stream_options.include_obfuscation", Map.of("stream_options", Map.of("include_obfuscation", "x")));
        wrong.put("prompt_cache_retention", Map.of("prompt_cache_retention", 5));
        bodies.forEach((path, body) -> wrong.forEach((name, fields) -> {
            Map<String, Object> more = new LinkedHashMap<>(body);
            more.putAll(fields);
            HttpResponse<String> answer = post(server, path, more);
            assertThat(answer.statusCode()).as("%s %s", path, name).isEqualTo(400);
            assertThat(at(answer, "/error/param")).isEqualTo(name);
        }));
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        Map<String, Object> reasoning = new LinkedHashMap<>(Map.of("effort", "low"));
        reasoning.put("summary", null);
        Map<String, Object> right = Map.of(
                "reasoning",
                reasoning,
                "text",
                Map.of("verbosity", "low"),
                "stream_options",
                Map.of("include_obfuscation", false),
                "prompt_cache_retention",
                "24h");
        bodies.forEach((path, body) -> {
            Map<String, Object> more = new LinkedHashMap<>(body);
            more.putAll(right);
            HttpResponse<String> answer = post(server, path, more);
            assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aResponseIsStreamedIfTheQuerySaysSo(HttpBinding binding) {
        script.on("helper").says("Done.");
        ChargehandServer server = serve(binding);
        String path =
                "/v1/responses/" + at(post(server, "/v1/responses", Map.of("model", "helper", "input", "x")), "/id");
        for (String wrong : List.of("TRUE", "1", "yes", "true,false")) {
            HttpResponse<String> answer = get(server, path + "?stream=" + wrong);
            assertThat(answer.statusCode()).as(wrong + answer.body()).isEqualTo(400);
            assertThat(at(answer, "/error/param")).isEqualTo("stream");
        }
        assertThat(at(get(server, path + "?stream=false"), "/status")).isEqualTo("completed");
        assertThat(get(server, path + "?stream=true").body()).contains("event: response.completed");
    }

    @ParameterizedTest
    @EnumSource
    void theSchemaOfAToolIsAnObject(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        for (Object schema : NO_OBJECTS) {
            Map<String, Object> tool =
                    Map.of("type", "function", "name", "f", "parameters", schema, "inputSchema", schema);
            Map<String, Map<String, Object>> bodies = Map.of(
                    "/v1/chat/completions",
                    Map.of(
                            "model",
                            "helper",
                            "messages",
                            List.of(MESSAGE),
                            "tools",
                            List.of(Map.of("type", "function", "function", tool))),
                    "/v1/responses",
                    Map.of("model", "helper", "input", "x", "tools", List.of(tool)),
                    "/ai-sdk/helper",
                    Map.of("id", "c", "messages", List.of(MESSAGE), "tools", Map.of("f", tool)),
                    "/ag-ui/helper",
                    Map.of("threadId", "t", "runId", "r", "messages", List.of(MESSAGE), "tools", List.of(tool)),
                    "/api/agents/helper/generate",
                    Map.of("messages", "x", "clientTools", Map.of("f", tool)));
            bodies.forEach((path, body) -> assertThat(post(server, path, body).statusCode())
                    .as("%s %s", path, schema)
                    .isEqualTo(400));
        }
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aFilterOfMessagesThatIsNoneIsNotAnEmptyOne(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        String thread = "/api/memory/threads/t";
        post(server, "/api/memory/threads", Map.of("threadId", "t", "resourceId", "ann"));
        for (Object ids : List.of(List.of(1), List.of(Map.of("id", "a")), "a")) {
            Map<String, Object> options = Map.of("messageFilter", Map.of("messageIds", ids));
            HttpResponse<String> copy = post(server, thread + "/clone?resourceId=ann", Map.of("options", options));
            assertThat(at(copy, "/code")).as("%s %s", ids, copy.body()).isEqualTo("bad-request");
        }
        String filter = URLEncoder.encode(Json.of(Map.of("roles", List.of(1))).text(), StandardCharsets.UTF_8);
        HttpResponse<String> page = get(server, thread + "/messages?resourceId=ann&filter=" + filter);
        assertThat(at(page, "/code")).as(page.body()).isEqualTo("bad-request");
        HttpResponse<String> threads = get(server, "/api/memory/threads?resourceId=ann");
        assertThat(at(threads, "/total")).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void theOptionsOfAMessageToAThreadAreAnObject(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        for (Object options : NO_OBJECTS) {
            Map<String, Object> body = Map.of(
                    "message", "x", "threadId", "t", "resourceId", "ann", "ifIdle", Map.of("streamOptions", options));
            HttpResponse<String> answer = post(server, "/api/agents/helper/send-message", body);
            assertThat(at(answer, "/code")).as("%s %s", options, answer.body()).isEqualTo("bad-request");
        }
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatSaysNothingIsNotTakenForAMissingOne(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        List<Object> silent = List.of(Map.of("id", "1", "role", "user"));
        Map<String, Map<String, Object>> bodies = Map.of(
                "/v1/chat/completions", Map.of("model", "helper", "messages", silent),
                "/v1/responses", Map.of("model", "helper", "input", List.of(Map.of("role", "user", "content", ""))),
                "/ai-sdk/helper", Map.of("id", "c", "messages", silent),
                "/ag-ui/helper", Map.of("threadId", "t", "runId", "r", "messages", silent),
                "/api/agents/helper/generate", Map.of("messages", silent));
        bodies.forEach((path, body) -> assertThat(post(server, path, body).body())
                .as(path)
                .contains("end with a message of the user that has a text or")
                .contains(path.startsWith("/ai-sdk") ? "in its 'parts'" : "in its 'content'"));
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theProblemOfAMessageNamesItsPlace(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        Map<String, Object> wrong = Map.of("role", "user", "content", List.of(Map.of("type", "video", "text", "x")));
        assertThat(post(server, "/api/agents/helper/generate", Map.of("messages", List.of("Hello.", wrong)))
                        .body())
                .contains("'messages[1].content[0].type'");
        assertThat(post(server, "/api/agents/helper/generate", Map.of("messages", "x", "system", List.of("a", wrong)))
                        .body())
                .contains("'system[1].content[0].type'");
    }
}
