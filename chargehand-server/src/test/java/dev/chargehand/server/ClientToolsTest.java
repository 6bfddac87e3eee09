package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools that the client of a run executes: which are accepted, and who may give their results. */
@Timeout(120)
class ClientToolsTest extends ServerFixture {

    private static final Map<String, Object> SCHEMA = Map.of("type", "object");
    private static final String CHAT = "/v1/chat/completions";

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        Tool own = Tool.of("own", "Works.", Order.class, (order, context) -> "done");
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .tools(own, Tool.external("fixed", "Works at the client.", JsonSchema.of(Order.class)))
                .agents(agents.getFirst())
                .acceptClientTools()
                .build());
        return agents;
    }

    private static Optional<Principal> resolve(String token) {
        return switch (token) {
            case "ann", "bob", "carl" ->
                Optional.of(new Principal(
                        token,
                        Store.LOCAL,
                        Optional.of(token.equals("carl") ? "ann" : token),
                        EnumSet.of(Scope.RUNS_WRITE, Scope.RUNS_READ)));
            default -> Optional.empty();
        };
    }

    private ChargehandServer signedIn(HttpBinding binding, AgentRuntime runtime) {
        return serve(runtime, builder -> builder.binding(binding).addPrincipals(ClientToolsTest::resolve));
    }

    private HttpResponse<String> postAs(String token, ChargehandServer server, String path, Object body) {
        return post(server, path, body, "Authorization", "Bearer " + token);
    }

    private static Map<String, Object> tool(String name, Object schema) {
        return Map.of("type", "function", "function", Map.of("name", name, "parameters", schema));
    }

    private static Map<String, Object> chat(String agent, List<Map<String, Object>> tools, Object... messages) {
        return Map.of("model", agent, "tools", tools, "messages", List.of(messages));
    }

    private static Map<String, Object> user() {
        return Map.of("role", "user", "content", "Where?");
    }

    private static Map<String, Object> result(String id, String text) {
        return Map.of("role", "tool", "tool_call_id", id, "content", text);
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatCannotBeAddedStartsNothing(HttpBinding binding) {
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        Map<String, List<Map<String, Object>>> wrong = new LinkedHashMap<>();
        wrong.put("of the agent", List.of(tool("own", SCHEMA)));
        wrong.put("of a sub-agent", List.of(tool("agent-writer", SCHEMA)));
        wrong.put("twice", List.of(tool("a", SCHEMA), tool("a", SCHEMA)));
        wrong.put("bad name", List.of(tool("a b", SCHEMA)));
        wrong.put("long name", List.of(tool("a".repeat(65), SCHEMA)));
        wrong.put("no schema", List.of(tool("a", Map.of("type", 7))));
        wrong.put("no object", List.of(tool("a", "object")));
        wrong.put("foreign", List.of(tool("a", Map.of("$ref", "http://example.com/schema"))));
        wrong.put("no function", List.of(Map.of("type", "web_search")));
        wrong.put(
                "too many",
                IntStream.range(0, 33).mapToObj(i -> tool("a" + i, SCHEMA)).toList());
        wrong.put("too large", List.of(tool("a", Map.of("type", "object", "description", "x".repeat(70_000)))));
        wrong.forEach((name, tools) -> {
            HttpResponse<String> answer = post(server, CHAT, chat("helper", tools, user()));
            assertThat(answer.statusCode()).as(name + " " + answer.body()).isEqualTo(400);
            assertThat(at(answer, "/error/param")).as(name).startsWith("tools");
        });
        List<Map<String, Object>> tools = List.of(tool("locate", SCHEMA));
        assertThat(at(post(server, CHAT, chat("writer", tools, user())), "/error/param"))
                .isEqualTo("tools");
        Map<String, Object> clientTools = Map.of("locate", Map.of("description", "x", "inputSchema", SCHEMA));
        Map<String, Object> agui = Map.of("name", "locate", "description", "x", "parameters", SCHEMA);
        Map<String, Object> message = Map.of(
                "id", "1", "role", "user", "content", "x", "parts", List.of(Map.of("type", "text", "text", "x")));
        Map<String, Map<String, Object>> others = Map.of(
                "/api/agents/writer/generate", Map.of("messages", "x", "clientTools", clientTools),
                "/ai-sdk/writer", Map.of("id", "c", "messages", List.of(message), "tools", clientTools),
                "/ag-ui/writer",
                        Map.of("threadId", "t", "runId", "r", "messages", List.of(message), "tools", List.of(agui)),
                "/v1/responses",
                        Map.of(
                                "model",
                                "writer",
                                "input",
                                "x",
                                "tools",
                                List.of(Map.of("type", "function", "name", "locate"))));
        others.forEach((path, body) ->
                assertThat(post(server, path, body).statusCode()).as(path).isEqualTo(400));
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheClientThatHasStartedTheRunGivesTheResultAndOnce(HttpBinding binding) {
        script.on("helper").calls("locate", Map.of("a", 1)).then().says("There.");
        ChargehandServer server = signedIn(binding, runtime(InMemoryStore.keepingEndedRuns()));
        List<Map<String, Object>> tools = List.of(tool("locate", SCHEMA));
        HttpResponse<String> first = postAs("ann", server, CHAT, chat("helper", tools, user()));
        String id = at(first, "/choices/0/message/tool_calls/0/id");
        assertThat(at(first, "/choices/0/finish_reason")).isEqualTo("tool_calls");
        String run = at(first, "/id").replace("chatcmpl-", "");
        String call = id.substring(run.length() + 1, id.lastIndexOf('.'));
        Map<String, Map<String, Object>> forged = Map.of(
                CHAT,
                chat("helper", tools, user(), result(id, "Forged")),
                "/v1/responses",
                Map.of(
                        "model",
                        "helper",
                        "input",
                        List.of(Map.of("type", "function_call_output", "call_id", id, "output", "Forged"))),
                "/api/agents/helper/generate",
                Map.of(
                        "messages",
                        List.of(Map.of(
                                "role", "tool", "content", List.of(Map.of("toolCallId", call, "result", "Forged"))))),
                "/ag-ui/helper",
                Map.of(
                        "threadId",
                        "t",
                        "runId",
                        "r",
                        "messages",
                        List.of(Map.of("role", "tool", "toolCallId", call, "content", "Forged"))));
        for (String other : List.of("bob", "carl")) { // carl acts for the same resource
            forged.forEach(
                    (path, body) -> assertThat(postAs(other, server, path, body).statusCode())
                            .as(path + " of " + other)
                            .isEqualTo(404));
        }
        HttpResponse<String> unknown = postAs("ann", server, CHAT, chat("helper", tools, user(), result("x", "Rome")));
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(at(unknown, "/error/message")).contains("'x'");
        HttpResponse<String> second = postAs("ann", server, CHAT, chat("helper", tools, user(), result(id, "Rome")));
        assertThat(at(second, "/choices/0/message/content")).isEqualTo("There.");
        String seen = script.requests().getLast().messages().getLast().toJson().text();
        assertThat(seen).contains("Rome", "client-result").doesNotContain("Forged");
        assertThat(postAs("ann", server, CHAT, chat("helper", tools, user(), result(id, "Oslo")))
                        .statusCode())
                .isEqualTo(409);
    }

    /** A request may give results and say more. Both reach the run that waits, and nothing else is started. */
    @ParameterizedTest
    @EnumSource
    void whatTheUserSaysAfterAResultReachesTheRunThatWaits(HttpBinding binding) {
        script.on("helper")
                .calls("locate", Map.of("a", 1))
                .then()
                .says("There.")
                .forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        List<Map<String, Object>> tools = List.of(tool("locate", SCHEMA));
        Map<String, Object> more = Map.of("role", "user", "content", "And how far?");
        HttpResponse<String> first = post(server, CHAT, chat("helper", tools, user()));
        String id = at(first, "/choices/0/message/tool_calls/0/id");
        Map<String, Object> body = chat("helper", tools, user(), result(id, "Rome"), more);
        HttpResponse<String> second = post(server, CHAT, body);
        assertThat(at(second, "/id")).as(second.body()).isEqualTo(at(first, "/id"));
        assertThat(at(second, "/choices/0/message/content")).isEqualTo("There.");
        String seen = script.requests().getLast().messages().toString();
        assertThat(seen).contains("Rome", "And how far?").containsOnlyOnce("Where?");
        assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
        HttpResponse<String> third = post(server, CHAT, body); // the result is history now
        assertThat(at(third, "/choices/0/message/content")).as(third.body()).isEqualTo("There.");
        assertThat(at(third, "/id")).isNotEqualTo(at(first, "/id"));
        Map<String, Object> elsewhere = chat("helper", tools, user(), result("call_1", "Rome"), more);
        assertThat(post(server, CHAT, elsewhere).statusCode()).isEqualTo(200);
        Map<String, Object> items = Map.of(
                "model",
                "helper",
                "input",
                List.of(Map.of("type", "function_call_output", "call_id", "call_1", "output", "Rome"), more));
        assertThat(post(server, "/v1/responses", items).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void whatFollowsAnOutputReachesTheResponseThatWaits(HttpBinding binding) {
        script.on("helper")
                .calls("locate", Map.of("a", 1))
                .then()
                .says("There.")
                .forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        Map<String, Object> tool = Map.of("type", "function", "name", "locate", "parameters", SCHEMA);
        Map<String, Object> ask = Map.of("model", "helper", "input", "Where?", "tools", List.of(tool));
        HttpResponse<String> first = post(server, "/v1/responses", ask);
        Map<String, Object> output =
                Map.of("type", "function_call_output", "call_id", at(first, "/output/0/call_id"), "output", "Rome");
        List<Object> input = List.of(
                output,
                Map.of("role", "developer", "content", "Be short."),
                Map.of("role", "user", "content", "And how far?"));
        HttpResponse<String> second = post(
                server,
                "/v1/responses",
                Map.of("model", "helper", "previous_response_id", at(first, "/id"), "input", input));
        assertThat(at(second, "/id")).as(second.body()).isEqualTo(at(first, "/id"));
        assertThat(at(second, "/output/0/content/0/text")).isEqualTo("There.");
        String seen = script.requests().getLast().messages().toString();
        assertThat(seen).contains("Rome", "Be short.", "And how far?");
        assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void whatFollowsAResultOfAnAgUiClientReachesTheRunThatWaits(HttpBinding binding) {
        script.on("helper")
                .calls("locate", Map.of("a", 1))
                .then()
                .says("There.")
                .forever();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        Map<String, Object> tool = Map.of("name", "locate", "description", "Locates.", "parameters", SCHEMA);
        Map<String, Object> asks = Map.of("id", "1", "role", "user", "content", "Where?");
        Map<String, Object> body =
                Map.of("threadId", "t", "runId", "r1", "messages", List.of(asks), "tools", List.of(tool));
        String events = post(server, "/ag-ui/helper", body).body();
        String call = events.replaceAll("(?s).*\"toolCallId\":\"([^\"]+)\".*", "$1");
        List<Object> messages = List.of(
                asks,
                Map.of("id", "2", "role", "assistant", "content", ""),
                Map.of("id", "3", "role", "tool", "toolCallId", call, "content", "Rome"),
                Map.of("id", "4", "role", "user", "content", "And how far?"));
        HttpResponse<String> second = post(
                server,
                "/ag-ui/helper",
                Map.of("threadId", "t", "runId", "r2", "messages", messages, "tools", List.of(tool)));
        assertThat(second.body()).contains("There.", "RUN_FINISHED");
        String seen = script.requests().getLast().messages().toString();
        assertThat(seen).contains("Rome", "And how far?").containsOnlyOnce("Where?");
        assertThat(runtime.runs(RunFilter.ALL)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatNeedsAnApproverIsNotAnsweredAsAResult(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).forever();
        ChargehandServer server = signedIn(binding, runtime(InMemoryStore.keepingEndedRuns()));
        HttpResponse<String> first = postAs("ann", server, CHAT, Map.of("model", "clerk", "messages", List.of(user())));
        assertThat(first.statusCode()).isEqualTo(409);
        String id = at(first, "/error/approvals/0");
        assertThat(id).isNotEmpty();
        assertThat(postAs("ann", server, CHAT, chat("clerk", List.of(), user(), result(id, "{\"approved\":true}")))
                        .statusCode())
                .isEqualTo(404);
        assertThat(paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void severalCallsAreAnsweredOneAfterTheOther(HttpBinding binding) {
        script.on("helper")
                .calls("locate", Map.of("a", 1))
                .and()
                .calls("fixed", Map.of("amount", 2))
                .then()
                .says("There.");
        ChargehandServer server = serve(binding);
        List<Map<String, Object>> tools = List.of(tool("locate", SCHEMA));
        HttpResponse<String> first = post(server, CHAT, chat("helper", tools, user()));
        String one = at(first, "/choices/0/message/tool_calls/0/id");
        String two = at(first, "/choices/0/message/tool_calls/1/id");
        assertThat(two).isNotEmpty();
        HttpResponse<String> second = post(server, CHAT, chat("helper", tools, user(), result(one, "Rome")));
        assertThat(at(second, "/choices/0/message/tool_calls/0/id")).isEqualTo(two);
        assertThat(at(second, "/choices/0/message/tool_calls/1/id")).isEmpty();
        HttpResponse<String> third =
                post(server, CHAT, chat("helper", tools, user(), result(two, "x".repeat(100_000))));
        assertThat(at(third, "/choices/0/message/content")).isEqualTo("There.");
        assertThat(script.requests().getLast().messages().getLast().toJson().text())
                .contains("20000 characters of 100000")
                .hasSizeLessThan(25_000);
    }
}
